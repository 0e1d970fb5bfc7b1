import type { Call } from '../ledger/attempt.ts'
import { errorOutcome, type AttemptOutcome } from '../ledger/outcome.ts'
import { attemptIn } from './attempt-in.ts'
import { callMessage } from './call-message.ts'
import { collectLater } from './collect-later.ts'
import { outcomeOf } from './http-3-client.ts'
import { openAgreedSession } from './open-agreed-session.ts'
import { post, responseOf } from './post.ts'
import { endRawSession } from './raw-session.ts'
import { Reopened } from './reopened.ts'
import type { Attempted, ClientOptions, StormClient } from './storm-client.ts'

/**
 * A client of JSON-RPC 3.0 that makes each call a job, and collects it at any gateway, without its session, which may
 * be gone by then.
 */
export function createJobClient(options: ClientOptions): StormClient {
  const { canary } = options
  const sessions = new Reopened(() => openAgreedSession(options, 'async'))

  const attempt = (call: Call): Promise<Attempted> =>
    attemptIn(sessions, async (headers) => {
      const posted = await post(options, { ...callMessage('3.0', call), options: { async: true } }, headers)
      const ack = posted.messages.find((message) => message['id'] === call.id && 'ack' in message)?.['ack']
      const { jobId } = (ack ?? {}) as { jobId?: string }
      if (jobId === undefined) return { outcome: outcomeOf(responseOf(posted, call.id)) }
      return { outcome: await collectJob(options, jobId, call.id), job: { id: jobId, owner: canary } }
    })

  const close = async () => endRawSession(options, await sessions.current())
  return { kind: 'job', canary, strays: [], attempt, close }
}

/** Asks any gateway for the state of a job, and for its outcome. */
function collectJob(options: ClientOptions, jobId: string, callId: string): Promise<AttemptOutcome> {
  return collectLater(`job ${jobId}`, {
    async state() {
      const posted = await post(options, { jsonrpc: '3.0', id: 'status', method: 'job.status', params: { jobId } })
      return responseOf(posted, 'status')
    },
    isUnknown: (error) => reasonOf(error) === 'unknown_resource',
    async outcome() {
      const collect = { jsonrpc: '3.0', id: 'collect', method: 'job.result', params: { jobId } }
      const { messages } = await post(options, collect)
      const own = messages.find((message) => message['id'] === callId)
      return own && outcomeOf(own)
    },
  })
}

function reasonOf(error: unknown): string {
  const outcome = errorOutcome(error)
  return outcome.kind === 'error' ? outcome.reason : ''
}
