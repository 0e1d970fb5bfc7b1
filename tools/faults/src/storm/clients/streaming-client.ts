import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import type { AttemptOutcome } from '../ledger/outcome.ts'
import { attemptIn } from './attempt-in.ts'
import { callMessage } from './call-message.ts'
import { outcomeOf } from './http-3-client.ts'
import { openAgreedSession } from './open-agreed-session.ts'
import { post, responseOf } from './post.ts'
import { endRawSession, type SessionHeaders } from './raw-session.ts'
import { Reopened } from './reopened.ts'
import type { ClientOptions, StormClient } from './storm-client.ts'
import { readStream, streamMessage } from './streamed-call.ts'

/**
 * A client of JSON-RPC 3.0 in a session, which it needs to cancel: calls stream, or are cancelled while they run, at
 * any gateway.
 */
export function createStreamingClient(options: ClientOptions): StormClient {
  const { canary } = options
  const strays: string[] = []
  const sessions = new Reopened(() => openAgreedSession(options, 'abort'))

  const send = async (call: Call, headers: SessionHeaders): Promise<AttemptOutcome> => {
    if (call.tool === 'stream') {
      const read = readStream(call, (await post(options, streamMessage(call), headers)).messages)
      strays.push(...read.strays)
      return read.outcome
    }
    const message = callMessage('3.0', call, { _meta: { progressToken: call.id } })
    const posted = await post(options, message, headers, ({ method, params }) => {
      if (method !== 'notifications/progress') return
      const { progressToken, message: text } = params as { progressToken?: string; message?: string }
      if (progressToken !== call.id || text !== call.id) strays.push(`progress of "${text}" for ${call.id}`)
      // The call is known to run.
      if (call.tool === 'abort') cancel(call, headers)
    })
    return outcomeOf(responseOf(posted, call.id))
  }

  const cancel = ({ id }: Call, headers: SessionHeaders): void => {
    const params: JsonObject = { stream: id, abort: true }
    // If the cancel does not arrive, the call ends at its deadline.
    post(options, { jsonrpc: '3.0', method: 'request.cancel', params }, headers).catch(() => {})
  }

  return {
    kind: 'streaming',
    canary,
    strays,
    attempt: (call) => attemptIn(sessions, async (headers) => ({ outcome: await send(call, headers) })),
    close: async () => endRawSession(options, await sessions.current()),
  }
}
