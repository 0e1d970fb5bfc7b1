import type { Outcome } from '../storm/ledger/outcome.ts'
import type { FuzzClientKind, NatsAction, NodeAction } from './fuzz-plan.ts'

/** What an answer said, and when it came. */
export interface FuzzAnswer {
  readonly at: number
  readonly outcome: Outcome
}

/** Somebody asked where a job or task is, what it came to, or that it ends. */
export interface FuzzQuestion {
  readonly about: 'status' | 'result' | 'end'
  readonly node: number
  readonly began: number
  readonly ended: number
  /** Undefined: the question was sent, and its connection was lost. */
  readonly answer: { readonly state: string } | { readonly outcome: Outcome } | undefined
}

/** A call, and what came of it. All times are of `performance.now()`. */
export interface FuzzCall {
  readonly id: string
  readonly kind: 'inline' | 'queue' | 'task' | 'job'
  /** Which its result has to tell. */
  readonly ms: number
  readonly node: number
  readonly began: number
  /** When its request was over. */
  ended?: number
  /** Of the request. Undefined: its connection was lost, before or after its status; a WebSocket's answers are 200. */
  status?: number | undefined
  /** Nobody listened, so that nothing was sent. */
  isRefused?: boolean
  /** Answers that came, wherever. */
  readonly answers: FuzzAnswer[]
  /** The client has asked to cancel it, or has closed its connection. */
  isLeft: boolean
  /** Of a task or job: its id. */
  job?: string
  readonly questions: FuzzQuestion[]
  /** Of a task or job: what it was in the end, and what whoever asked at another node was told that it came to. */
  end?: { readonly state: string; readonly outcome: Outcome | undefined }
}

/** A session that a client has had. */
export interface FuzzSession {
  readonly id: string
  readonly client: number
  readonly kind: FuzzClientKind
  /** Where it was opened. */
  readonly node: number
  /** When its opening was sent. */
  readonly began: number
  readonly calls: FuzzCall[]
  /** When the client ended it. */
  ended?: number
  /** When a node said first that there is no such session; of a WebSocket: when it was closed by the node. */
  unknown?: number
  /** How often the client opened its stream again without a cursor. */
  cursorless: number
  /** How often a node did not know the place on a stream that was named. */
  forgotten: number
}

/** A node, or a NATS server, that was ended and started again. */
export type FuzzOutage = { readonly began: number; readonly ended: number } & (
  | {
      readonly how: NodeAction['kind']
      readonly node: number
      /** Which it ended with; `null`: it was killed, as the plan says or because it did not end in time. */
      readonly code: number | null
    }
  | {
      readonly how: NatsAction['kind']
      readonly server: number
      /** There are others, which elect a leader. */
      readonly isOneOfMany: boolean
    }
)

/** All that is judged. */
export interface FuzzLedger {
  readonly sessions: readonly FuzzSession[]
  /** In the order in which they began. */
  readonly outages: readonly FuzzOutage[]
  /** Of nodes that ended though nobody had asked them to, in words. */
  readonly crashes: readonly string[]
  /** What nodes still held when all clients had gone, in words. */
  readonly left: readonly string[]
  /** What each node ended with in the end. */
  readonly codes: readonly (number | null)[]
}
