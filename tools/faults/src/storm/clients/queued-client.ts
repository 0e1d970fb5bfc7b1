import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import type { AttemptOutcome } from '../ledger/outcome.ts'
import { attemptIn } from './attempt-in.ts'
import { callMessage } from './call-message.ts'
import { outcomeOf } from './http-3-client.ts'
import { post, responseOf } from './post.ts'
import { openQueuedSession, type QueuedSession } from './queued-session.ts'
import { Reopened } from './reopened.ts'
import { idText } from './results.ts'
import { type Attempted, type ClientOptions, collectTimeoutMs, type StormClient } from './storm-client.ts'

const silent: AttemptOutcome = { kind: 'silent', what: 'no answer on the stream after 202' }

/**
 * A client that requests later answers: each request gets a 202, and each answer arrives on the session's own stream.
 */
export function createQueuedClient(options: ClientOptions): StormClient {
  const { canary } = options
  const strays: string[] = []
  const answers = new Map<string, number>()

  const receive = (session: QueuedSession, message: JsonObject): void => {
    const { id, method } = message
    if (method === 'elicitation/create') {
      const result = { action: 'accept', content: { name: canary, age: 1 } }
      post(options, { jsonrpc: '2.0', id: id ?? null, result }, session.headers).catch(() => {})
    }
    // An error without an id is about the stream itself.
    if (method !== undefined || id === undefined) return
    const text = idText(id)
    const before = answers.get(text) ?? 0
    answers.set(text, before + 1)
    if (before > 0) strays.push(`one more answer to ${text}: ${JSON.stringify(message)}`)
    const isWanted = session.pending.answer(text, outcomeOf(message))
    if (!isWanted && !text.startsWith(canary)) strays.push(`an answer to ${text}`)
  }

  const sessions = new Reopened(
    () => openQueuedSession(options, { receive, unknown: (session) => sessions.forget(session) }),
    (session: QueuedSession) => session.lose('the session is over'),
  )

  const attempt = (call: Call): Promise<Attempted> =>
    attemptIn(sessions, async (session) => {
      const { headers, pending } = session
      // The answer may arrive before the 202.
      const answered = pending.wait(call.id, collectTimeoutMs, silent)
      try {
        const posted = await post(options, callMessage('2.0', call), { ...headers, prefer: 'respond-async' })
        if (posted.status !== 202) return { outcome: outcomeOf(responseOf(posted, call.id)) }
        return { outcome: await answered, accepted: true }
      } finally {
        pending.forget(call.id)
      }
    })

  return {
    kind: 'queued',
    canary,
    strays,
    answers,
    attempt,
    close: async () => (await sessions.current())?.close(),
  }
}
