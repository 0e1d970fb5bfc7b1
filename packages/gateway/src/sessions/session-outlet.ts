import type { Answer } from '@junctor/exchange'
import type { Payload } from '@junctor/jsonrpc'
import { payloadOf, printMessage, requestId } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import { upstreamError } from '../shared/errors.ts'
import type { HomeSession, SessionOutlet } from './home-session.ts'
import type { ReplayStream } from './streams/replay-stream.ts'
import type { StreamTable } from './streams/stream-table.ts'
import type { AskTable } from './ask-table.ts'

/**
 * The session's own stream: kept from the first thing that is said on it, or from the first reader. Where answers come
 * on it, as its profile has it, there is no other way to ask for one that was lost: it is shown again.
 */
export function streamOf(session: HomeSession, streams: StreamTable): ReplayStream {
  session.stream ??= streams.detached(paceOf(session))
  return session.stream
}

/** How its own stream goes to its readers. */
export function paceOf({ tenant }: HomeSession): 'confirmed' | 'paced' {
  return tenant.tenant.profile.delivery === 'queued' ? 'confirmed' : 'paced'
}

/** What says no more than that something is to be asked for again. */
const saysAChange: ReadonlySet<string> = new Set([
  methods.notificationsToolsListChanged,
  methods.notificationsResourcesListChanged,
  methods.notificationsPromptsListChanged,
  methods.notificationsResourcesUpdated,
])

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
      const text = notificationText(session, method, params)
      // A client that has not come yet need not hear twice that something has changed, and an idle session's stream stays
      // small. Of everything else, each is another one.
      if (!saysAChange.has(method) || !stream.awaits(text)) void stream.append(text, false)
    },
    ask(session, request, options) {
      const askId = nextId()
      const { revision } = session.context
      const { signal } = options ?? {}
      if (session.ended || signal?.aborted === true) {
        return Promise.resolve({ error: upstreamError({ revision }, 'client_gone') })
      }
      const stream = streamOf(session, streams)
      /** Which event the question is. Who answers it has had all up to it. */
      let asked = 0
      return new Promise<Answer>((resolve) => {
        const takeBack = (reason: string): void => {
          const params = payloadOf({ requestId: askId, reason })
          void stream.append(notificationText(session, methods.notificationsCancelled, params), false)
        }
        const withdraw = (): void => {
          asks.remove(askId)
          takeBack('The server took its question back')
          resolve({ error: upstreamError({ revision }, 'cancelled') })
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
        void stream.append(printMessage({ ...request, kind: 'request', dialect, id: requestId(askId) }, anyId), false)
        asked = stream.count
      })
    },
  }
}

/** Nothing that is said here lacks an id that it should have. */
const anyId = { nullId: false }

/** A notification in the version that the session's client last spoke. */
function notificationText({ dialect }: HomeSession, method: string, params: Payload | undefined): string {
  return printMessage({ kind: 'notification', dialect, method, params }, anyId)
}
