import type { Call, ClientKind, PromisedJob } from '../ledger/attempt.ts'
import type { AttemptOutcome } from '../ledger/outcome.ts'

/** The result of one attempt. */
export interface Attempted {
  readonly outcome: AttemptOutcome
  readonly job?: PromisedJob | undefined
  /** It was answered with 202: its answer is due on the session's stream. */
  readonly accepted?: true | undefined
}

/** A client that makes many concurrent calls, and opens its session again when it is lost. */
export interface StormClient {
  readonly kind: ClientKind
  /** The prefix of its ids. */
  readonly canary: string
  /** Never rejects. */
  attempt(call: Call): Promise<Attempted>
  /** How often each call was answered on its session's stream, by its id. Absent when it reads no stream. */
  readonly answers?: ReadonlyMap<string, number>
  /** Messages that it received but that belong to another client, as texts. */
  readonly strays: readonly string[]
  /** Ends its session, and closes its connections. Never rejects. */
  close(): Promise<void>
}

/** The options of a client of the storm. */
export interface ClientOptions {
  readonly canary: string
  /** Its API key. */
  readonly key: string
  readonly anywhere: Anywhere
}

/** The addresses of the gateways. There is no load balancer: each sender picks one. */
export interface Anywhere {
  /** Their URLs, in another order each time. */
  urls(): readonly string[]
  /** The URLs of the NATS servers. */
  readonly nats: readonly string[]
}

/** How long a client waits for an answer, in milliseconds: longer than the gateway's own deadlines. */
export const callTimeoutMs = 30_000

/**
 * How long a client waits for a later answer: another node takes over the work of a killed one when its loan expires,
 * and the loan starts again when a NATS server is killed meanwhile.
 */
export const collectTimeoutMs = 90_000
