import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import type { Attempted, ClientOptions, StormClient } from './storm-client.ts'
import { attemptIn } from './attempt-in.ts'
import { callMessage } from './call-message.ts'
import { Reopened } from './reopened.ts'
import { idText } from './results.ts'
import { openSocketSession, type SocketSession } from './socket-session.ts'

/** A hand-written client over WebSockets: each connection is a session, at the gateway that it reached. */
export function createWebSocketClient(options: ClientOptions): StormClient {
  const { canary } = options
  const strays: string[] = []

  const receive = (session: SocketSession, { id, method, params }: JsonObject): void => {
    if (method === 'elicitation/create') {
      const result = { action: 'accept', content: { name: canary, age: 1 } }
      session.send({ jsonrpc: '2.0', id: id ?? null, result })
    } else if (method === 'notifications/progress') {
      const { progressToken, message: text } = params as { progressToken?: string; message?: string }
      if (progressToken !== text) strays.push(`progress of "${text}" for ${progressToken}`)
    } else if (method === undefined && !idText(id).startsWith(canary)) strays.push(`an answer to ${idText(id)}`)
  }

  const sessions = new Reopened(() =>
    openSocketSession(options, { receive, closed: (session) => sessions.forget(session) }),
  )

  const attempt = (call: Call): Promise<Attempted> =>
    attemptIn(sessions, async (session) => {
      if (!session.isOpen) return { outcome: { kind: 'refused', what: 'the socket is closed' } }
      return { outcome: await session.ask(callMessage('2.0', call, { _meta: { progressToken: call.id } })) }
    })

  return { kind: 'websocket', canary, strays, attempt, close: async () => (await sessions.current())?.close() }
}
