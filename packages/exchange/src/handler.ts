import type { Request } from '@junctor/jsonrpc'
import type { Exchange } from './exchange.ts'
import type { Outcome } from './outcome.ts'

/** Answers a request. May settle synchronously, which costs no promise. Must not throw: errors are outcomes. */
export type Handler = (request: Request, exchange: Exchange) => Outcome | Promise<Outcome>

/**
 * Wraps a handler: limits, policy, telemetry. The first of a list is the outermost. Composed once, not per request; a
 * synchronous outcome passes through synchronously.
 */
export type Interceptor = (next: Handler) => Handler
