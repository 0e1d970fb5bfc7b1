import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import { errorOutcome, type AttemptOutcome } from '../ledger/outcome.ts'
import { attemptIn, isUnknownSession } from './attempt-in.ts'
import { callMessage } from './call-message.ts'
import { collectLater } from './collect-later.ts'
import { outcomeOfRejection } from './fetch-anywhere.ts'
import { outcomeOf } from './http-3-client.ts'
import { post, responseOf } from './post.ts'
import { endRawSession, openRawSession, type SessionHeaders } from './raw-session.ts'
import { Reopened } from './reopened.ts'
import type { Attempted, ClientOptions, StormClient } from './storm-client.ts'

/**
 * A client of MCP that makes each call a task, and asks any gateway for it, in its session or, if that is lost, the
 * next.
 */
export function createTaskClient(options: ClientOptions): StormClient {
  const { canary } = options
  const sessions = new Reopened(() => openRawSession(options))

  const send = async (headers: SessionHeaders, message: JsonObject): Promise<JsonObject> =>
    responseOf(await post(options, message, headers), message['id'])

  const attempt = (call: Call): Promise<Attempted> =>
    attemptIn(sessions, async (headers) => {
      const { result, error } = await send(headers, callMessage('2.0', call, { task: { ttl: 600_000 } }))
      if (error !== undefined) return { outcome: errorOutcome(error) }
      const { taskId } = (result as { task: { taskId: string } }).task
      return { outcome: await collect(taskId), job: { id: taskId, owner: canary } }
    })

  const collect = (taskId: string): Promise<AttemptOutcome> =>
    collectLater(`task ${taskId}`, {
      state: () => ask('tasks/get', taskId),
      isUnknown: (error) => String((error as { message?: unknown }).message).includes('Unknown'),
      async outcome() {
        const outcome = outcomeOf(await ask('tasks/result', taskId))
        return isOfAsking(outcome) ? undefined : outcome
      },
    })

  /** Asks in the current session, and forgets the session when it is over. */
  const ask = async (method: string, taskId: string): Promise<JsonObject> => {
    const headers = await sessions.get()
    try {
      // Other tasks are read concurrently.
      return await send(headers, { jsonrpc: '2.0', id: `${method} ${taskId}`, method, params: { taskId } })
    } catch (error) {
      if (isUnknownSession(outcomeOfRejection(error, () => ({ kind: 'silent', what: '' })))) sessions.forget(headers)
      throw error
    }
  }

  return {
    kind: 'task',
    canary,
    strays: [],
    attempt,
    close: async () => endRawSession(options, await sessions.current()),
  }
}

/**
 * Whether the question has failed, because the session's home is gone. The outcome of a job that was lost with a node
 * is `outcome_unknown`.
 */
function isOfAsking(outcome: AttemptOutcome): boolean {
  if (outcome.kind !== 'error' || outcome.backend !== '') return false
  return outcome.retryable || outcome.reason === 'backend_exited'
}
