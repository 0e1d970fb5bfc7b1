import type { TelemetryEvent } from '@junctor/contracts'

type Started = Extract<TelemetryEvent, { readonly kind: 'tool_call_started' }>
type Finished = Extract<TelemetryEvent, { readonly kind: 'request_finished' }>

/** The stored part of the start of a call: what the event log shows of it. */
export type KeptStart = Pick<Started, 'kind' | 'tenant' | 'backend' | 'tool' | 'trace'>

/** The stored part of the end of a call: what the event log shows of it. */
export type KeptEnd = Pick<
  Finished,
  'kind' | 'tenant' | 'backend' | 'tool' | 'trace' | 'outcome' | 'reason' | 'code' | 'durationMs'
>

/** The stored part of a telemetry event that the event log shows. Every telemetry event is assignable to it. */
export type KeptEvent = Exclude<TelemetryEvent, Started | Finished> | KeptStart | KeptEnd
