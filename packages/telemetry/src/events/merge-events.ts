import type { GatewayEvent } from './event.ts'
import { type AskedEvents, readEventQuery } from './event-query.ts'

/** What one node told of what it was asked for, oldest first. */
export interface ToldEvents {
  readonly node: string
  readonly events: readonly GatewayEvent[]
}

/**
 * What several nodes told, as one answer: the newest so many by their clocks, oldest first, each with its node. Those of
 * one node stay in their order.
 *
 * @param asked what all of them were asked
 */
export function mergeEvents(told: readonly ToldEvents[], asked: AskedEvents): readonly GatewayEvent[] {
  const read = readEventQuery(asked, 0)
  if (read.kind === 'bad') return []
  const all = told.flatMap(({ node, events }) => events.map((event): GatewayEvent => ({ ...event, node })))
  return all.toSorted(byTime).slice(-read.query.limit)
}

// All times are of one length and one offset.
function byTime(one: GatewayEvent, other: GatewayEvent): number {
  if (one.timestamp === other.timestamp) return 0
  return one.timestamp < other.timestamp ? -1 : 1
}
