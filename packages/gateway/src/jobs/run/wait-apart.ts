import { createExchange, type Exchange, type Host } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'

/**
 * Waits for a job with an exchange that has no outlet: the job's questions do not reach the client of this request. That
 * exchange ends with the one of the request, and when the wait is over.
 */
export async function waitApart<T>(
  host: Host,
  request: Request,
  exchange: Exchange,
  wait: (waiting: Exchange) => Promise<T>,
): Promise<T> {
  const { context, deadline } = exchange
  const waiting = createExchange({ id: host.nextId(), request, context, deadline, attempt: 1 }, host)
  exchange.onEnd({ ended: (reason) => waiting.end(reason) })
  try {
    return await wait(waiting)
  } finally {
    waiting.end('disconnected')
  }
}
