import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import { isFinalState } from '../ledger/final-states.ts'
import { errorOutcome, type Outcome } from '../ledger/outcome.ts'
import { outcomeOfRejection, Unanswered } from './fetch-anywhere.ts'
import { callMessage } from './call-message.ts'
import { outcomeOf } from './http-3-client.ts'
import { beforeCall } from './official-client.ts'
import { post, responseOf } from './post.ts'
import { endRawSession } from './raw-session.ts'
import { type Attempted, type ClientOptions, laterPatienceMs, type StormClient } from './storm-client.ts'

type Headers = Readonly<Record<string, string>>

const pollMs = 250

/**
 * A client of JSON-RPC 3.0 that makes each call a job, and collects it at whichever gateway, without its session, which
 * may have gone meanwhile.
 */
export function createJobClient(options: ClientOptions): StormClient {
  const { canary } = options
  let opening: Promise<Headers> | undefined

  const open = async (): Promise<Headers> => {
    const message = { jsonrpc: '3.0', id: 'agree', method: 'rpc.extensions', params: { extensions: ['async'] } }
    const opened = await post(options, message)
    const { error } = responseOf(opened, 'agree')
    if (error !== undefined) throw new Unanswered(errorOutcome(error))
    return { 'mcp-session-id': opened.session }
  }

  const attempt = async (call: Call): Promise<Attempted> => {
    opening ??= open()
    const mine = opening
    let headers: Headers
    try {
      headers = await mine
    } catch (error) {
      if (opening === mine) opening = undefined
      return { outcome: beforeCall(outcomeOfRejection(error, () => ({ kind: 'refused', what: String(error) }))) }
    }
    try {
      const posted = await post(options, { ...callMessage('3.0', call), options: { async: true } }, headers)
      const ack = posted.messages.find((message) => message['id'] === call.id && 'ack' in message)?.['ack']
      const { jobId } = (ack ?? {}) as { jobId?: string }
      if (jobId === undefined) return { outcome: outcomeOf(responseOf(posted, call.id)) }
      return { outcome: await collectJob(options, jobId, call.id), job: { id: jobId, owner: canary } }
    } catch (error) {
      const outcome = outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) }))
      if (outcome.kind === 'error' && outcome.reason === 'session_unknown' && opening === mine) opening = undefined
      return { outcome }
    }
  }

  return {
    kind: 'job',
    canary,
    strays: [],
    attempt,
    async close() {
      const headers = await opening?.catch(() => undefined)
      if (headers !== undefined) await endRawSession(options, headers)
    },
  }
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
