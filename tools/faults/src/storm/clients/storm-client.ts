import type { Call, ClientKind, PromisedJob } from '../ledger/attempt.ts'
import type { Outcome } from '../ledger/outcome.ts'

/** What came of one attempt. */
export interface Attempted {
  readonly outcome: Outcome
  readonly job?: PromisedJob | undefined
  /** It was answered with 202: its answer is to come on the session's stream. */
  readonly accepted?: true | undefined
}

/** A client that calls tools, many at a time, and opens its session again when it is lost. */
export interface StormClient {
  readonly kind: ClientKind
  /** What its ids begin with. */
  readonly canary: string
  /** Never rejects. */
  attempt(call: Call): Promise<Attempted>
  /** How often each call was answered on its session's stream, by its id. Absent: it reads none. */
  readonly answers?: ReadonlyMap<string, number>
  /** What it received that is not its own, in words. */
  readonly strays: readonly string[]
  /** Ends its session, and lets go of its connections. Never rejects. */
  close(): Promise<void>
}

/** What a client of the storm is made of. */
export interface ClientOptions {
  readonly canary: string
  /** Its API key. */
  readonly key: string
  readonly anywhere: Anywhere
}

/** Where the gateways are. There is no load balancer: whoever sends something picks one. */
export interface Anywhere {
  /** Their URLs, in another order each time. */
  urls(): readonly string[]
  /** The URLs of the NATS servers. */
  readonly nats: readonly string[]
}

/** How long a client waits for an answer, in milliseconds: longer than the gateway's own deadlines. */
export const patienceMs = 30_000

/**
 * How long for an answer that comes later: what a killed node had taken is taken again when its loan is over, which
 * begins anew with a NATS server that is killed meanwhile.
 */
export const laterPatienceMs = 90_000
