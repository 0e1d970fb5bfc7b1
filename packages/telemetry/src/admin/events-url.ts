import { eventTypes } from '../events/event.ts'
import type { EventFilter } from '../events/event-query.ts'
import { shown } from '../events/shown.ts'

/** The parsed query of a URL for events. */
export type ReadUrl =
  | {
      readonly kind: 'asked'
      /** Absent: the events of all tenants. */
      readonly tenant: string | undefined
      readonly asked: EventFilter
      /** Whether future events are included. */
      readonly follow: boolean
    }
  /** What was expected and what was received. */
  | { readonly kind: 'bad'; readonly message: string }

const names = ['tenant', 'trace_id', 'event_type', 'status', 'since', 'limit', 'follow']

/**
 * Parses `?tenant=&trace_id=&event_type=&status=&since=&limit=&follow=`. Empty values are treated as absent. A
 * type that this version does not have is refused: a typing mistake would look like a quiet gateway.
 */
export function readEventsUrl(query: URLSearchParams): ReadUrl {
  for (const name of query.keys())
    if (!names.includes(name)) return bad(`expected one of ${names.join(', ')}, got the parameter ${shown(name)}`)
  const value = (name: string): string | undefined => query.get(name) || undefined
  const follow = value('follow') ?? 'false'
  if (follow !== 'true' && follow !== 'false') return bad(`follow: expected true or false, got ${shown(follow)}`)
  const type = value('event_type')
  if (type !== undefined && !eventTypes.some((known) => known === type))
    return bad(`event_type: expected one of ${eventTypes.join(', ')}, got ${shown(type)}`)
  const limit = value('limit')
  return {
    kind: 'asked',
    tenant: value('tenant'),
    follow: follow === 'true',
    asked: {
      trace_id: value('trace_id'),
      event_type: type,
      status: value('status'),
      since: value('since'),
      limit: limit !== undefined && /^\d{1,9}$/.test(limit) ? Number(limit) : limit,
    },
  }
}

function bad(message: string): ReadUrl {
  return { kind: 'bad', message }
}
