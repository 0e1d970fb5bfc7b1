import type { KeptEvent } from './kept-event.ts'
import type { GatewayEvent } from './event.ts'
import type { EventQuery } from './event-query.ts'
import { eventShape } from './event-shapes.ts'
import { printEventTime } from './event-time.ts'

/** What is kept of an event. It is printed when somebody reads it. */
export interface EventRecord {
  /** Rises with each event of a node, whatever the clock does. */
  readonly sequence: number
  /** Epoch microseconds. */
  readonly at: number
  readonly fact: KeptEvent
}

/** What is the same for all events of a node. */
export interface EventOrigin {
  readonly source: string
  /** The trace of what no request caused: 32 hexadecimal digits. */
  readonly trace: string
}

/** Whether a record is asked for. */
export function isRecordAskedFor({ at, fact }: EventRecord, query: EventQuery, origin: EventOrigin): boolean {
  const { trace, type, status, since } = query
  if (since !== undefined && at < since) return false
  if (trace !== undefined && traceOf(fact, origin) !== trace) return false
  const shape = eventShape(fact)
  if (shape === undefined || (type !== undefined && shape.type !== type)) return false
  return status === undefined || shape.status(fact) === status
}

/** @param backends those of the tenant that looks; undefined when it may see all */
export function printRecord(
  { at, fact }: EventRecord,
  origin: EventOrigin,
  backends: ReadonlySet<string> | undefined,
): GatewayEvent | undefined {
  const shape = eventShape(fact)
  return (
    shape && {
      timestamp: printEventTime(at),
      trace_id: dashed(traceOf(fact, origin)),
      status: shape.status(fact),
      event_type: shape.type,
      source: origin.source,
      ...shape.fields(fact, backends),
    }
  )
}

function traceOf(fact: KeptEvent, { trace }: EventOrigin): string {
  return 'trace' in fact ? (fact.trace ?? trace) : trace
}

/** A trace id as a UUID: the same 128 bits. */
function dashed(trace: string): string {
  return `${trace.slice(0, 8)}-${trace.slice(8, 12)}-${trace.slice(12, 16)}-${trace.slice(16, 20)}-${trace.slice(20)}`
}
