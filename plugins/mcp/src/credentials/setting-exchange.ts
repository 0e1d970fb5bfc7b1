import { type Client, type EndListener, type Exchange } from '@junctor/plugin-sdk/link'
import { upstreamError } from '../link/errors.ts'

/** How long a server may take to take a setting, in milliseconds. */
const settingMs = 10_000

const refused = async () => ({ error: upstreamError('ask_not_supported', 'setting') })

/**
 * The exchange of a request that a link sends for a session, outside of any call: it ends after ten seconds, its
 * events are dropped, and questions are refused.
 */
export function settingExchange({ context }: Pick<Client, 'context'>): Exchange {
  const signal = AbortSignal.timeout(settingMs)
  return {
    id: 'setting',
    context,
    attempt: 1,
    deadline: Date.now() + settingMs,
    options: undefined,
    wantsProgress: false,
    signal,
    get ended() {
      return signal.aborted ? 'deadline' : undefined
    },
    onEnd(listener: EndListener) {
      signal.addEventListener('abort', () => listener.ended('deadline', this))
    },
    ack() {},
    progress() {},
    chunk: () => undefined,
    notify() {},
    ask: refused,
    callTool: refused,
  }
}
