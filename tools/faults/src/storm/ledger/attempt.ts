import type { AttemptOutcome } from './outcome.ts'

/**
 * The calls of the storm. {@link isRepeatable} lists those that may run twice. A `stream` answers in pieces; an `abort`
 * runs until its client cancels it.
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

/** Decides over which transport a client calls, which tools, and how it gets the answer. */
export type ClientKind = (typeof clientKinds)[number]

/** One call to make. */
export interface Call {
  /** Unique to this attempt; begins with the canary of its client. */
  readonly id: string
  readonly tool: StormTool
  /** The duration of a slow call, in milliseconds. */
  readonly ms: number
}

/** A promised job: its client has received the ack. */
export interface PromisedJob {
  readonly id: string
  /** The only client that may collect it. */
  readonly owner: string
}

/** A finished attempt of a call. Times are those of `performance.now()`. */
export interface Attempt extends Call {
  readonly kind: ClientKind
  readonly canary: string
  readonly began: number
  readonly ended: number
  readonly outcome: AttemptOutcome
  /** The number of its call. */
  readonly of: number
  readonly job?: PromisedJob | undefined
  /** It was answered with 202: its answer was due on the session's stream. */
  readonly accepted?: true | undefined
}

/** Whether a tool may run twice. */
export function isRepeatable(tool: StormTool): boolean {
  return tool !== 'append'
}
