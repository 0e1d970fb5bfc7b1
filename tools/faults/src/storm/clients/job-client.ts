import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import { isFinalState } from '../ledger/final-states.ts'
import { errorOutcome, type Outcome } from '../ledger/outcome.ts'
import { createAgreedSession } from './agreed-session.ts'
import { callMessage } from './call-message.ts'
import { outcomeOf } from './http-3-client.ts'
import { post, responseOf } from './post.ts'
import { type Attempted, type ClientOptions, laterPatienceMs, type StormClient } from './storm-client.ts'

const pollMs = 250

/**
 * A client of JSON-RPC 3.0 that makes each call a job, and collects it at whichever gateway, without its session, which
 * may have gone meanwhile.
 */
export function createJobClient(options: ClientOptions): StormClient {
  const { canary } = options
  const session = createAgreedSession(options, 'async')

  const attempt = (call: Call): Promise<Attempted> =>
    session.attempt(async (headers) => {
      const posted = await post(options, { ...callMessage('3.0', call), options: { async: true } }, headers)
      const ack = posted.messages.find((message) => message['id'] === call.id && 'ack' in message)?.['ack']
      const { jobId } = (ack ?? {}) as { jobId?: string }
      if (jobId === undefined) return { outcome: outcomeOf(responseOf(posted, call.id)) }
      return { outcome: await collectJob(options, jobId, call.id), job: { id: jobId, owner: canary } }
    })

  return { kind: 'job', canary, strays: [], attempt, close: () => session.close() }
}

/** Asks until the job is over, whatever happens to those who are asked, and gives what it came to. */
async function collectJob(options: ClientOptions, jobId: string, callId: string): Promise<Outcome> {
  const deadline = performance.now() + laterPatienceMs
  let last: unknown
  while (performance.now() < deadline) {
    // oxlint-disable no-await-in-loop
    try {
      const posted = await post(options, { jsonrpc: '3.0', id: 'status', method: 'job.status', params: { jobId } })
      const { result, error } = responseOf(posted, 'status')
      // Those who know nothing of what was promised will not know more of it later.
      if (error !== undefined && reasonOf(error) === 'unknown_resource') return errorOutcome(error)
      last = error ?? (result as JsonObject)['status']
      if (isFinalState(last)) {
        const collected = await post(options, {
          jsonrpc: '3.0',
          id: 'collect',
          method: 'job.result',
          params: { jobId },
        })
        const own = collected.messages.find((message) => message['id'] === callId)
        if (own !== undefined) return outcomeOf(own)
        last = collected.messages
      }
    } catch (error) {
      last = String(error)
    }
    await after(pollMs)
    // oxlint-enable no-await-in-loop
  }
  return { kind: 'silent', what: `job ${jobId}: ${JSON.stringify(last)}` }
}

function reasonOf(error: unknown): string {
  const outcome = errorOutcome(error)
  return outcome.kind === 'error' ? outcome.reason : ''
}
