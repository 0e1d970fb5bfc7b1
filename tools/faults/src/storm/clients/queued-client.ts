import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'
import type { Outcome } from '../ledger/outcome.ts'
import { fetchAnywhere, outcomeOfRejection } from './fetch-anywhere.ts'
import { callMessage } from './call-message.ts'
import { outcomeOf } from './http-3-client.ts'
import { beforeCall } from './official-client.ts'
import { post, responseOf } from './post.ts'
import { endRawSession, openRawSession } from './raw-session.ts'
import { idText } from './results.ts'
import { type Attempted, type ClientOptions, laterPatienceMs, type StormClient } from './storm-client.ts'

/** A session, and whoever waits for an answer on its stream. */
interface QueuedSession {
  readonly headers: Readonly<Record<string, string>>
  readonly waiting: Map<string, (outcome: Outcome) => void>
  readonly leaving: AbortController
  /** Resolves when its stream is not read any more. */
  reading: Promise<void>
}

const pauseMs = 200

/**
 * A client that asks for its answers later: each request gets a 202, and each answer comes on the session's own stream,
 * which is opened again, wherever that may be, when it ends.
 */
export function createQueuedClient(options: ClientOptions): StormClient {
  const { canary, key, anywhere } = options
  const strays: string[] = []
  const answers = new Map<string, number>()
  let opening: Promise<QueuedSession> | undefined

  const open = async (): Promise<QueuedSession> => {
    const headers = await openRawSession(options)
    const session = { headers, waiting: new Map(), leaving: new AbortController(), reading: Promise.resolve() }
    session.reading = listen(session)
    return session
  }

  const forget = (session: QueuedSession, what: string): void => {
    opening = undefined
    session.leaving.abort()
    for (const done of session.waiting.values()) done({ kind: 'lost', what })
    session.waiting.clear()
  }

  const receive = (session: QueuedSession, message: JsonObject): void => {
    const { id, method } = message
    if (method === 'elicitation/create') {
      const result = { action: 'accept', content: { name: canary, age: 1 } }
      post(options, { jsonrpc: '2.0', id: id ?? null, result }, session.headers).catch(() => {})
    } else if (method === undefined) {
      // Without an id it is about the stream itself.
      if (id === undefined) return
      const text = idText(id)
      const before = answers.get(text) ?? 0
      answers.set(text, before + 1)
      if (before > 0) strays.push(`one more answer to ${text}: ${JSON.stringify(message)}`)
      const done = session.waiting.get(text)
      session.waiting.delete(text)
      if (done !== undefined) done(outcomeOf(message))
      else if (!text.startsWith(canary)) strays.push(`an answer to ${text}`)
    }
  }

  const listen = async (session: QueuedSession): Promise<void> => {
    const { signal } = session.leaving
    let lastEvent: string | undefined
    while (!signal.aborted) {
      try {
        // oxlint-disable no-await-in-loop
        const response = await fetchAnywhere(anywhere, {
          headers: {
            authorization: `Bearer ${key}`,
            accept: 'text/event-stream',
            ...session.headers,
            ...(lastEvent !== undefined && { 'last-event-id': lastEvent }),
          },
          signal,
        })
        if (response.status === 404) return forget(session, 'the session is over')
        if (!response.ok || response.body === null) {
          // Who keeps the rest of that stream is gone, or has forgotten it: it begins anew.
          if (response.status === 400) lastEvent = undefined
          await response.body?.cancel()
          await after(pauseMs)
          continue
        }
        let rest = ''
        for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
          const blocks = (rest + piece).split('\n\n')
          rest = blocks.pop() ?? ''
          for (const line of blocks.join('\n').split('\n')) {
            if (line.startsWith('id: ')) lastEvent = line.slice(4)
            else if (line.startsWith('data: {')) receive(session, JSON.parse(line.slice(6)) as JsonObject)
          }
        }
        // oxlint-enable no-await-in-loop
      } catch {
        // oxlint-disable-next-line no-await-in-loop
        if (!signal.aborted) await after(pauseMs)
      }
    }
  }

  const attempt = async (call: Call): Promise<Attempted> => {
    let session: QueuedSession
    opening ??= open()
    const mine = opening
    try {
      session = await mine
    } catch (error) {
      if (opening === mine) opening = undefined
      const outcome = outcomeOfRejection(error, () => ({ kind: 'refused', what: `no session: ${String(error)}` }))
      return { outcome: beforeCall(outcome) }
    }
    const answered = Promise.withResolvers<Outcome>()
    session.waiting.set(call.id, answered.resolve)
    const timer = setTimeout(
      () => answered.resolve({ kind: 'silent', what: 'no answer on the stream after 202' }),
      laterPatienceMs,
    )
    try {
      const posted = await post(options, callMessage('2.0', call), { ...session.headers, prefer: 'respond-async' })
      if (posted.status !== 202) return { outcome: outcomeOf(responseOf(posted, call.id)) }
      return { outcome: await answered.promise, accepted: true }
    } catch (error) {
      const outcome = outcomeOfRejection(error, () => ({ kind: 'silent', what: String(error) }))
      if (outcome.kind === 'error' && outcome.reason === 'session_unknown' && opening === mine) {
        forget(session, 'the session is over')
      }
      return { outcome }
    } finally {
      clearTimeout(timer)
      session.waiting.delete(call.id)
    }
  }

  return {
    kind: 'queued',
    canary,
    strays,
    answers,
    attempt,
    async close() {
      const session = await opening?.catch(() => undefined)
      if (session === undefined) return
      session.leaving.abort()
      await endRawSession(options, session.headers)
      await session.reading
    },
  }
}
