import type { Answer } from '@junctor/exchange'
import { printNotification, printRequest, requestId } from '@junctor/jsonrpc'
import { upstreamError } from '../errors.ts'
import type { HomeSession, SessionOutlet } from '../sessions/home-session.ts'
import type { ReplayStream } from '../streams/replay-stream.ts'
import type { StreamTable } from '../streams/stream-table.ts'
import type { AskTable } from './ask-table.ts'

/** The session's own stream: kept from the first thing that is said on it, or from the first reader. */
export function streamOf(session: HomeSession, streams: StreamTable): ReplayStream {
  session.stream ??= streams.detached()
  return session.stream
}

/** Speaks to clients outside any request, on their session's own stream. */
export function createSessionOutlet(
  streams: StreamTable,
  asks: AskTable,
  nextId: () => string,
  askTimeoutMs: number,
): SessionOutlet {
  return {
    notify(session, { method, params }) {
      const stream = streamOf(session, streams)
      const text = printNotification(method, params)
      // A client that has not come yet need not hear the same twice, and an idle session's stream stays small.
      if (!stream.awaits(text)) void stream.append(text, false)
    },
    ask(session, request, options) {
      const askId = nextId()
      const { revision } = session.context
      const { signal } = options ?? {}
      if (session.ended || signal?.aborted === true) {
        return Promise.resolve({ error: upstreamError({ revision }, 'client_gone') })
      }
      return new Promise<Answer>((resolve) => {
        const withdraw = (): void => {
          asks.remove(askId)
          resolve({ error: upstreamError({ revision }, 'cancelled') })
        }
        signal?.addEventListener('abort', withdraw, { once: true })
        asks.add(askId, {
          session: session.id,
          revision,
          timeoutMs: options?.timeoutMs ?? askTimeoutMs,
          settle(answer) {
            signal?.removeEventListener('abort', withdraw)
            resolve(answer)
          },
        })
        void streamOf(session, streams).append(printRequest(requestId(askId), request.method, request.params), false)
      })
    },
  }
}
