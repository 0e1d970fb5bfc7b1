import type { IncomingHttpHeaders } from 'node:http'
import type { Redact } from '@junctor/primitives'
import { cutOff, explained, type HttpFailure, refusal } from './http-failure.ts'
import type { BodyKind, Round, RoundEnd, RoundListener } from './http-round.ts'
import { judgeResponse } from './judge-response.ts'

/** What any request needs from its session. */
export interface RequestHost {
  /** Whether requests carry a session id, which a 404 then refers to. */
  readonly hasSession: boolean
  /** Called when the server no longer knows the session. */
  unknown(): void
}

/**
 * How long a delivery waits for the server, in milliseconds. Servers accept a message without a response immediately.
 * Without this limit, a network that drops every packet would keep the connection open forever.
 */
export const deliveryTimeoutMs = 30_000

/**
 * Sends a message whose only answer is an HTTP status. Resolves when the server has accepted it, or with the reason why
 * it has not; never rejects.
 *
 * @param timeoutMs how long to wait for the server, in milliseconds; undefined: without a limit
 * @param signal ends the wait, and the request with it. Default: nothing does
 */
export function sendMessage(
  send: (listener: RoundListener) => Round,
  host: RequestHost,
  timeoutMs: number | undefined,
  signal?: AbortSignal,
): Promise<HttpFailure | undefined> {
  const { promise, resolve } = Promise.withResolvers<HttpFailure | undefined>()
  const listener = new DeliveryRound(host, resolve)
  const round = send(listener)
  const giveUp = (what: string): void => {
    round.abort()
    resolve({ kind: 'interrupted', what })
  }
  const late = `the server did not answer within ${timeoutMs} ms`
  const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs, late)
  const aborted = (): void => giveUp('the connection was closed before the answer')
  signal?.addEventListener('abort', aborted)
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', aborted)
    if (listener.streaming) round.abort()
  })
}

class DeliveryRound implements RoundListener {
  readonly #host: RequestHost
  readonly #settle: (failure: HttpFailure | undefined) => void
  /** Whether the server has answered with a stream, which is still open. */
  streaming = false
  #failure: HttpFailure | undefined

  constructor(host: RequestHost, settle: (failure: HttpFailure | undefined) => void) {
    this.#host = host
    this.#settle = settle
  }

  head(status: number, headers: IncomingHttpHeaders): BodyKind {
    if (status >= 200 && status <= 299) {
      // A stream that was not requested may stay open forever.
      this.streaming = judgeResponse(status, headers).kind === 'events'
      if (this.streaming) this.#settle(undefined)
      return 'ignored'
    }
    this.#failure = refusal(status, headers, this.#host.hasSession)
    if (this.#failure.kind === 'session_unknown') this.#host.unknown()
    return 'whole'
  }

  whole(body: Uint8Array, hide: Redact): void {
    this.#failure = explained(this.#failure, body, hide)
  }

  event(): void {}

  id(): void {}

  retry(): void {}

  over(end: RoundEnd): void {
    this.#settle(end.kind === 'failed' && this.#failure === undefined ? cutOff(end) : this.#failure)
  }
}
