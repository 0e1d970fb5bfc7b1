import type { GatewayEvent } from './event.ts'
import { type EventFilter, readEventQuery } from './event-query.ts'

/** The answer of one node to a query for events, oldest first. */
export interface NodeEvents {
  readonly node: string
  readonly events: readonly GatewayEvent[]
}

/**
 * Merges the answers of several nodes: the newest events by their clocks, up to the limit, oldest first, each with its
 * node. Events of one node keep their order.
 *
 * @param answers the answers of the nodes
 * @param asked the query that all of them answered
 */
export function mergeEvents(answers: readonly NodeEvents[], asked: EventFilter): readonly GatewayEvent[] {
  const read = readEventQuery(asked, 0)
  if (read.kind === 'bad') return []
  const all = answers.flatMap(({ node, events }) => events.map((event): GatewayEvent => ({ ...event, node })))
  return all.toSorted(byTime).slice(-read.query.limit)
}

// All times have the same length and the same offset.
function byTime(one: GatewayEvent, other: GatewayEvent): number {
  if (one.timestamp === other.timestamp) return 0
  return one.timestamp < other.timestamp ? -1 : 1
}
