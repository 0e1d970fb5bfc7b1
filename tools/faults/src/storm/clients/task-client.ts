import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import { isFinalState } from '../ledger/final-states.ts'
import { errorOutcome, type Outcome } from '../ledger/outcome.ts'
import { outcomeOfRejection } from './fetch-anywhere.ts'
import { callMessage } from './call-message.ts'
import { outcomeOf } from './http-3-client.ts'
import { beforeCall } from './official-client.ts'
import { post, responseOf } from './post.ts'
import { endRawSession, openRawSession } from './raw-session.ts'
import { type Attempted, type ClientOptions, laterPatienceMs, type StormClient } from './storm-client.ts'

type Headers = Readonly<Record<string, string>>

const pollMs = 250

/** A client of MCP that makes each call a task, and asks some gateway for it, in its session or, if that is lost, the next. */
export function createTaskClient(options: ClientOptions): StormClient {
  const { canary } = options
  let opening: Promise<Headers> | undefined

  /** Sends in the session, and forgets that when it is over. Rejects as `post` does. */
  const send = async (message: JsonObject): Promise<JsonObject> => {
    opening ??= openRawSession(options)
    const mine = opening
    try {
      return responseOf(await post(options, message, await mine), message['id'])
    } catch (error) {
      const outcome = outcomeOfRejection(error, () => ({ kind: 'silent', what: '' }))
      const isOver = outcome.kind === 'error' && outcome.reason === 'session_unknown'
      const isUnopened = await mine.then(
        () => false,
        () => true,
      )
      if ((isOver || isUnopened) && opening === mine) opening = undefined
      throw error
    }
  }

  const collect = async (taskId: string): Promise<Outcome> => {
    const deadline = performance.now() + laterPatienceMs
    let last: unknown
    while (performance.now() < deadline) {
      // oxlint-disable no-await-in-loop
      try {
        const { result, error } = await send(ask('tasks/get', taskId))
        // Those who know nothing of what was promised will not know more of it later.
        if (error !== undefined && errorText(error).includes('Unknown')) return errorOutcome(error)
        last = error ?? (result as JsonObject)['status']
        if (isFinalState(last)) {
          const outcome = outcomeOf(await send(ask('tasks/result', taskId)))
          // Else it is the asking that has failed, at a session's home that is gone.
          if (outcome.kind !== 'error' || outcome.backend !== '' || !isOfAsking(outcome)) return outcome
        }
      } catch (error) {
        last = String(error)
      }
      await after(pollMs)
      // oxlint-enable no-await-in-loop
    }
    return { kind: 'silent', what: `task ${taskId}: ${JSON.stringify(last)}` }
  }

  const attempt = async (call: Call): Promise<Attempted> => {
    let sent = false
    try {
      opening ??= openRawSession(options)
      await opening
      sent = true
      const { result, error } = await send(callMessage('2.0', call, { task: { ttl: 600_000 } }))
      if (error !== undefined) return { outcome: errorOutcome(error) }
      const { taskId } = (result as { task: { taskId: string } }).task
      return { outcome: await collect(taskId), job: { id: taskId, owner: canary } }
    } catch (error) {
      if (!sent) opening = undefined
      const outcome = outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) }))
      return { outcome: sent ? outcome : beforeCall(outcome) }
    }
  }

  return {
    kind: 'task',
    canary,
    strays: [],
    attempt,
    close: () => endRawSession(options, opening),
  }
}

function ask(method: string, taskId: string): JsonObject {
  // Others are asked for at the same time.
  return { jsonrpc: '2.0', id: `${method} ${taskId}`, method, params: { taskId } }
}

/** What a job came to that was lost with a node is `outcome_unknown`. */
function isOfAsking({ retryable, reason }: Extract<Outcome, { kind: 'error' }>): boolean {
  return retryable || reason === 'backend_exited'
}

function errorText(error: unknown): string {
  return String((error as { message?: unknown }).message)
}
