import type { AttemptOutcome } from '../storm/ledger/outcome.ts'
import type { FuzzClientKind, NatsAction, NodeAction, PauseAction } from './fuzz-plan.ts'

/** The content of an answer, and the time of its arrival. */
export interface FuzzAnswer {
  readonly at: number
  readonly outcome: AttemptOutcome
}

/** A question about the state or result of a job or task, or its cancellation. */
export interface FuzzQuestion {
  readonly about: 'status' | 'result' | 'end'
  readonly node: number
  readonly began: number
  readonly ended: number
  /** Undefined when the question was sent, and its connection was lost. */
  readonly answer: FuzzState | { readonly outcome: AttemptOutcome } | undefined
  /** The status of the request, or how it failed, as text. */
  readonly request: string
}

/** A repeat of the request of a job, with the same idempotency key. */
export interface FuzzRepeat {
  readonly node: number
  readonly began: number
  readonly ended: number
  /** The job that it was answered with. */
  readonly job: string | undefined
  /** The answer, or how the request failed, as text. */
  readonly request: string
}

/** The state of a job or task. */
export interface FuzzState {
  readonly state: string
  /** When it was last changed, by the clock of `performance.now()`. */
  readonly updated: number
}

/** A call, and its results. All times are of `performance.now()`. */
export interface FuzzCall {
  /** No other call of the run has it. */
  readonly name: string
  /** The id of its request: all sessions use the same ids. */
  readonly id: string
  readonly kind: 'inline' | 'queue' | 'task' | 'job'
  /** The duration that its result must contain; with `replyAt`, how long the client thinks about the question. */
  readonly ms: number
  /** The node where the client answers the question of the tool. Undefined when the tool asks nothing. */
  readonly replyAt?: number | undefined
  /** The progress that has arrived, for a call whose client closes its connection and resumes its stream. */
  readonly steps?: number[] | undefined
  readonly node: number
  readonly began: number
  /** When its request ended. */
  ended?: number
  /**
   * The status of the request; undefined when its connection was lost, before or after its status. 200 for a WebSocket
   * and on NATS.
   */
  status?: number | undefined
  /** How the request failed, as text, when it has no status; the body, when it was refused. */
  failure?: string | undefined
  /** All answers, on any connection. */
  readonly answers: FuzzAnswer[]
  /** Whether the client has cancelled it, or has closed its connection. */
  isLeft: boolean
  /** When a node did not know the state of a request without a session, so that the client began again. */
  readonly restarts?: number[]
  /** The id of a task or job. */
  job?: string
  readonly questions: FuzzQuestion[]
  readonly repeats?: FuzzRepeat[]
  /** The final state of a task or job, and the outcome that another node reported. */
  end?: FuzzState & { readonly outcome: AttemptOutcome | undefined }
  /** How the last reading of its job failed, as text. */
  unread?: string
}

/** A session of a client. */
export interface FuzzSession {
  readonly id: string
  readonly client: number
  readonly kind: FuzzClientKind
  /** The node where it was opened. */
  readonly node: number
  /** When the request to open it was sent. */
  readonly began: number
  readonly calls: FuzzCall[]
  /** When the client ended it. */
  ended?: number
  /**
   * When a node first reported that the session does not exist; for a WebSocket or a channel on NATS: when it was closed.
   */
  unknown?: number
  /** Which request got that answer, as text. */
  unknownTo?: string
  /** How often the client opened its stream again without a cursor. */
  cursorless: number
  /** The attempts to resume the stream for which a node did not know the cursor. */
  readonly forgotten: FuzzForgotten[]
  /** The ids of answers that arrived and belong to none of its requests. */
  readonly foreign: string[]
}

/** An attempt to resume a stream at its cursor that a node refused, because it did not know the cursor. */
export interface FuzzForgotten {
  /** When the client sent the request, and when it got the refusal. */
  readonly began: number
  readonly ended: number
  /** The node that was asked, and the cursor, which names the node that gave the stream its id. */
  readonly node: number
  readonly cursor: string
  /** The body of the refusal. */
  readonly body: string
}

/** A node, or a NATS server, that was ended and restarted; or a node that was paused. */
export type FuzzOutage = { readonly began: number; readonly ended: number } & (
  | {
      readonly how: NodeAction['kind']
      readonly node: number
      /** Its exit code; `null` when it was killed, by plan or because it did not end in time. */
      readonly code: number | null
    }
  | { readonly how: PauseAction['kind']; readonly node: number }
  | {
      readonly how: NatsAction['kind']
      readonly server: number
      /** Whether there are other servers, which elect a leader. */
      readonly isOneOfMany: boolean
      /** The nodes that did not reconnect in time after the server was back. */
      readonly stayedAway: readonly number[]
    }
)

/** The data for the verdict. */
export interface FuzzLedger {
  readonly sessions: readonly FuzzSession[]
  /** In the order of their beginning. */
  readonly outages: readonly FuzzOutage[]
  /** Nodes that ended without a request, as texts. */
  readonly crashes: readonly string[]
  /** What nodes still held when all clients had gone, as texts. */
  readonly left: readonly string[]
  /** The exit code of each node at the end. */
  readonly codes: readonly (number | null)[]
}
