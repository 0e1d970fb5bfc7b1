import type { Outcome } from './outcome.ts'

/**
 * What the storm calls. What may run twice is in {@link isRepeatable}. A `stream` answers in pieces; an `abort` never
 * ends by itself: its client cancels it once it runs.
 */
export type StormTool = 'echo' | 'append' | 'slow' | 'ask' | 'stream' | 'abort'

/** The kinds of clients. */
export const clientKinds = [
  'sdk v1',
  'sdk v2',
  'bus',
  'json-rpc 3.0',
  'streaming',
  'websocket',
  'queued',
  'job',
  'task',
] as const

export type ClientKind = (typeof clientKinds)[number]

/** One call that is to be made. */
export interface Call {
  /** Of this attempt alone; begins with the canary of its client. */
  readonly id: string
  readonly tool: StormTool
  /** How long a slow one takes, in milliseconds. */
  readonly ms: number
}

/** A job that was promised: its client has seen the ack. */
export interface PromisedJob {
  readonly id: string
  /** The client may collect it; so may nobody else. */
  readonly owner: string
}

/** One attempt of a call, after it. Times are those of `performance.now()`. */
export interface Attempt extends Call {
  readonly kind: ClientKind
  readonly canary: string
  readonly began: number
  readonly ended: number
  readonly outcome: Outcome
  /** The number of the call that it is an attempt of. */
  readonly of: number
  readonly job?: PromisedJob | undefined
  /** It was answered with 202: its answer was to come on the session's stream. */
  readonly accepted?: true | undefined
}

/** Whether a tool may run twice. */
export function isRepeatable(tool: StormTool): boolean {
  return tool !== 'append'
}
