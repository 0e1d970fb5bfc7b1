import type { KeptEvent } from './kept-event.ts'
import type { GatewayEvent } from './event.ts'
import type { EventQuery } from './event-query.ts'
import { eventShape } from './event-shapes.ts'
import { printEventTime } from './event-time.ts'

/** An event as it is stored. It is printed when it is read. */
export interface EventRecord {
  /** Rises with each event of a node, regardless of the clock. */
  readonly sequence: number
  /** Epoch microseconds. */
  readonly at: number
  readonly event: KeptEvent
}

/** The data that all events of a node share. */
export interface EventOrigin {
  readonly source: string
  /** The trace of events without a request: 32 hexadecimal digits. */
  readonly trace: string
}

/** Whether a record matches a query. */
export function recordMatchesQuery({ at, event }: EventRecord, query: EventQuery, origin: EventOrigin): boolean {
  const { trace, type, status, since } = query
  if (since !== undefined && at < since) return false
  if (trace !== undefined && traceOf(event, origin) !== trace) return false
  const shape = eventShape(event)
  if (shape === undefined || (type !== undefined && shape.type !== type)) return false
  return status === undefined || shape.status(event) === status
}

/** @param backends the backends of the tenant that reads the event; undefined when all may be shown */
export function printRecord(
  { at, event }: EventRecord,
  origin: EventOrigin,
  backends: ReadonlySet<string> | undefined,
): GatewayEvent | undefined {
  const shape = eventShape(event)
  return (
    shape && {
      timestamp: printEventTime(at),
      trace_id: dashed(traceOf(event, origin)),
      status: shape.status(event),
      event_type: shape.type,
      source: origin.source,
      ...shape.fields(event, backends),
    }
  )
}

function traceOf(event: KeptEvent, { trace }: EventOrigin): string {
  return 'trace' in event ? (event.trace ?? trace) : trace
}

/** Formats a trace id as a UUID of the same 128 bits. */
function dashed(trace: string): string {
  return `${trace.slice(0, 8)}-${trace.slice(8, 12)}-${trace.slice(12, 16)}-${trace.slice(16, 20)}-${trace.slice(20)}`
}
