import type { Link } from '@junctor/contracts'
import type { CallContext, Outcome } from '@junctor/exchange'
import { type Payload, requestId } from '@junctor/jsonrpc'
import type { Clock } from '../../shared/clock.ts'
import { errorOutcome } from '../../shared/errors.ts'
import { ownExchange } from '../../shared/own-exchange.ts'
import type { Timed } from '../../shared/deadlines.ts'

/** How long a backend may take to answer a request of the gateway itself, in milliseconds. */
const timeoutMs = 10_000

/**
 * Sends a request of the gateway itself to a link, for example to set a level or to subscribe again. Progress and logs
 * are ignored, and questions are refused. Never rejects.
 */
export async function callForGateway(
  link: Link,
  method: string,
  params: Payload,
  context: CallContext,
  clock: Clock,
): Promise<Outcome> {
  const late = Promise.withResolvers<Outcome>()
  const deadline = clock.now() + timeoutMs
  const exchange = ownExchange('gateway', context, {
    deadline,
    ended: () => late.resolve(errorOutcome(context, 'deadline_exceeded')),
  })
  const limit: Timed = { deadline, expire: () => exchange.end('deadline') }
  clock.deadlines.add(limit)
  try {
    const work = link.call({ kind: 'request', dialect: '2.0', id: requestId(0), method, params }, exchange)
    return await Promise.race([work, late.promise])
  } catch {
    return errorOutcome(context, 'internal_error')
  } finally {
    clock.deadlines.remove(limit)
  }
}
