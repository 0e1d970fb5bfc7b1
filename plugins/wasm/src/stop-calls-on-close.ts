import type { Exchange, Link, Outcome } from '@junctor/plugin-sdk/link'
import type { StoppableCalls } from './thread-pool.ts'

/** A link that stops its calls when it closes: they have threads, which would go on. */
export function stopCallsOnClose(link: Link, stoppable: StoppableCalls): Link {
  const exchanges = new Set<Exchange>()

  async function until(outcome: Promise<Outcome>, exchange: Exchange): Promise<Outcome> {
    exchanges.add(exchange)
    try {
      return await outcome
    } finally {
      exchanges.delete(exchange)
    }
  }

  return {
    server: link.server,
    closed: link.closed,
    list: (kind, signal) => link.list(kind, signal),
    notify: (notification) => link.notify(notification),
    call(request, exchange) {
      const outcome = link.call(request, exchange)
      return outcome instanceof Promise ? until(outcome, exchange) : outcome
    },
    async close() {
      for (const exchange of exchanges) stoppable.get(exchange)?.stop()
      await link.close()
    },
  }
}
