import type { Request } from '@junctor/jsonrpc'
import type { Exchange } from './exchange.ts'
import type { Outcome } from './outcome.ts'

/**
 * Answers a request. It may return an outcome synchronously, without the cost of a promise. It must not throw: errors
 * are outcomes.
 */
export type Handler = (request: Request, exchange: Exchange) => Outcome | Promise<Outcome>

/**
 * Wraps a handler: limits, policy, telemetry. The first interceptor of a list is the outermost. Interceptors are
 * composed once, not per request. A synchronous outcome stays synchronous.
 */
export type Interceptor = (next: Handler) => Handler
