import type { Fact } from '@junctor/contracts'

type Started = Extract<Fact, { readonly kind: 'tool_call_started' }>
type Finished = Extract<Fact, { readonly kind: 'request_finished' }>

/** What is kept of the start of a call: what its event shows. */
export type KeptStart = Pick<Started, 'kind' | 'tenant' | 'backend' | 'tool' | 'trace'>

/** What is kept of the end of a call: what its event shows. */
export type KeptEnd = Pick<
  Finished,
  'kind' | 'tenant' | 'backend' | 'tool' | 'trace' | 'outcome' | 'reason' | 'code' | 'durationMs'
>

/** What is kept of a fact that is an event. Every fact will do. */
export type KeptEvent = Exclude<Fact, Started | Finished> | KeptStart | KeptEnd
