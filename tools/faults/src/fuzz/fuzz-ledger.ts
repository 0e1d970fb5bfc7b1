import type { FuzzTenant, NodeAction } from './fuzz-plan.ts'

/** A call, and what came of it. All times are of `performance.now()`. */
export interface FuzzCall {
  readonly id: string
  readonly kind: 'inline' | 'queue' | 'task'
  readonly node: number
  readonly began: number
  /** When its POST was over. */
  ended?: number
  /** Of the POST. Undefined: its connection was lost, before or after its status. */
  status?: number | undefined
  /** Answers that came, wherever. */
  answers: number
  /** The client has asked to cancel it, or has closed its connection. */
  isLeft: boolean
  /** Of a task. */
  task?: string
  /** What a task came to; undefined: it was not over in the end. */
  state?: string
}

/** A session that a client has had. */
export interface FuzzSession {
  readonly id: string
  readonly client: number
  readonly tenant: FuzzTenant
  /** Where it was opened. */
  readonly node: number
  /** When its opening was sent. */
  readonly began: number
  readonly calls: FuzzCall[]
  /** When the client sent its DELETE. */
  ended?: number
  /** When a node said first that there is no such session. */
  unknown?: number
  /** How often the client opened its stream again without a cursor. */
  cursorless: number
  /** How often a node did not know the place on a stream that was named. */
  forgotten: number
}

/** A node that was ended and started again. */
export interface FuzzOutage {
  readonly node: number
  readonly how: NodeAction['kind']
  readonly began: number
  readonly ended: number
  /** Which it ended with; `null`: it was killed, as the plan says or because it did not end in time. */
  readonly code: number | null
}

/** All that is judged. */
export interface FuzzLedger {
  readonly sessions: readonly FuzzSession[]
  readonly outages: readonly FuzzOutage[]
  /** Of nodes that ended though nobody had asked them to, in words. */
  readonly crashes: readonly string[]
  /** What nodes still held when all clients had gone, in words. */
  readonly left: readonly string[]
  /** What each node ended with in the end. */
  readonly codes: readonly (number | null)[]
}
