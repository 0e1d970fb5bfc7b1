import { askNumber } from '@junctor/exchange'
import { type Answer, type Payload, payloadOf, printMessage, requestId } from '@junctor/jsonrpc'
import { listChanged, methods } from '@junctor/protocol'
import { backendError } from '../../shared/errors.ts'
import type { HomeSession, SessionOutlet } from './home-session.ts'
import type { ReplayStream } from '../streams/replay-stream.ts'
import type { StreamTable } from '../streams/stream-table.ts'
import type { AskTable } from '../asks/ask-table.ts'

/**
 * The session's own stream, created for the first message or the first reader. When its profile delivers answers on
 * this stream, clients cannot request a lost answer again, so the stream shows unconfirmed frames again.
 */
export function streamOf(session: HomeSession, streams: StreamTable): ReplayStream {
  session.stream ??= streams.detached(paceOf(session))
  return session.stream
}

/** The pace at which frames of its own stream go to its readers. */
export function paceOf({ tenant }: HomeSession): 'confirmed' | 'paced' {
  return tenant.tenant.profile.delivery === 'queued' ? 'confirmed' : 'paced'
}

/** Notifications that only say that the client must request something again. */
const changeMethods: ReadonlySet<string> = new Set([
  ...Object.values(listChanged),
  methods.notificationsResourcesUpdated,
])

/** Sends messages to clients outside any request, on the own stream of their session. */
export function createSessionOutlet(
  streams: StreamTable,
  asks: AskTable,
  nextId: () => string,
  askTimeoutMs: number,
): SessionOutlet {
  return {
    notify(session, { method, params }) {
      const stream = streamOf(session, streams)
      const text = notificationText(session, method, params)
      // A client that is not reading needs only one notification of the same change, and the stream of an idle session
      // stays small. All other notifications are kept one by one.
      if (!changeMethods.has(method) || !stream.awaits(text)) void stream.append(text, false)
    },
    ask(session, request, options) {
      const askId = nextId()
      const { revision } = session.context
      const { signal } = options ?? {}
      if (session.ended || signal?.aborted === true) {
        return Promise.resolve({ error: backendError({ revision }, 'client_gone') })
      }
      const stream = streamOf(session, streams)
      /** The number of the question's event. A client that answers the question has received all events up to it. */
      let asked = 0
      return new Promise<Answer>((resolve) => {
        const takeBack = (reason: string): void => {
          const params = payloadOf({ requestId: askNumber(askId), reason })
          void stream.append(notificationText(session, methods.notificationsCancelled, params), false)
        }
        const withdraw = (): void => {
          asks.remove(askId)
          takeBack('The server took its question back')
          resolve({ error: backendError({ revision }, 'cancelled') })
        }
        signal?.addEventListener('abort', withdraw, { once: true })
        asks.add(askId, {
          session: session.id,
          revision,
          timeoutMs: options?.timeoutMs ?? askTimeoutMs,
          settle(answer, withdrawn) {
            signal?.removeEventListener('abort', withdraw)
            if (withdrawn !== undefined) takeBack(withdrawn)
            else stream.confirm(asked)
            resolve(answer)
          },
        })
        const { dialect } = session
        void stream.append(
          printMessage({ ...request, kind: 'request', dialect, id: requestId(askNumber(askId)) }, anyId),
          false,
        )
        asked = stream.count
      })
    },
  }
}

/** The messages that are printed here always have the id that they need. */
const anyId = { nullId: false }

/** A notification in the JSON-RPC version that the session's client last used. */
function notificationText({ dialect }: HomeSession, method: string, params: Payload | undefined): string {
  return printMessage({ kind: 'notification', dialect, method, params }, anyId)
}
