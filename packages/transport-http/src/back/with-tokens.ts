import type { AccessTokens } from '@junctor/contracts'
import { headers as names } from '@junctor/protocol'
import type { IncomingHttpHeaders } from 'node:http'
import { errorOf, type Redact } from '@junctor/primitives'
import type { HttpOrigin, RoundRequest } from './http-origin.ts'
import type { BodyKind, Round, RoundEnd, RoundListener } from './http-round.ts'

/**
 * The same origin, whose requests carry a token. A request that is refused for its token is sent again with another one:
 * the server has not run it. That is once for each reason, because the token that replaces an expired one may lack a scope.
 */
export function withTokens(origin: HttpOrigin, tokens: AccessTokens): HttpOrigin {
  return {
    url: origin.url,
    log: origin.log,
    backend: origin.backend,
    headers: origin.headers,
    send(request, listener) {
      const round = new TokenRound({ origin, tokens, request, listener })
      round.start()
      return round
    },
    close: () => Promise.resolve(),
  }
}

interface TokenRoundParts {
  readonly origin: HttpOrigin
  readonly tokens: AccessTokens
  readonly request: RoundRequest
  readonly listener: RoundListener
}

interface Refusal {
  readonly status: 401 | 403
  readonly headers: IncomingHttpHeaders
}

/** The events of a round that is not read are dropped. */
class TokenRound implements Round, RoundListener {
  /** Absent when the listener does not have it either: that decides how events are read. */
  readonly overlong: RoundListener['overlong']
  readonly #parts: TokenRoundParts
  #round: Round | undefined
  #aborted = false
  /** Why it was refused so far. */
  readonly #reasons = new Set<number>()
  #token: string | undefined
  /** Set while the answer is a refusal, after which the request is sent again. */
  #refusal: Refusal | undefined

  constructor(parts: TokenRoundParts) {
    this.#parts = parts
    const { listener } = parts
    this.overlong = listener.overlong && ((event) => listener.overlong?.(event))
  }

  get sent(): boolean {
    return this.#round?.sent ?? false
  }

  abort(): void {
    this.#aborted = true
    this.#round?.abort()
  }

  /** Sends the request at once when the token is known. */
  start(): void {
    const { tokens, request } = this.#parts
    const token = tokens.current(request.exchange)
    if (typeof token === 'string' || token === undefined) this.#send(token)
    else
      token.then(
        (fetched) => this.#send(fetched),
        (error: unknown) => this.#fail(error),
      )
  }

  head(status: number, headers: IncomingHttpHeaders): BodyKind {
    if (!this.#reasons.has(status) && (status === 401 || isScopeRefusal(status, headers))) {
      this.#reasons.add(status)
      this.#refusal = { status, headers }
      return 'whole'
    }
    return this.#parts.listener.head(status, headers)
  }

  whole(body: Uint8Array, hide: Redact): void {
    if (this.#refusal === undefined) this.#parts.listener.whole(body, hide)
    else void this.#afterRefusal(this.#refusal, body, hide)
  }

  event(type: string, data: string): void {
    this.#parts.listener.event(type, data)
  }

  id(id: string): void {
    this.#parts.listener.id(id)
  }

  retry(ms: number): void {
    this.#parts.listener.retry(ms)
  }

  over(end: RoundEnd): void {
    // The end of a refusal that was read is that of its round alone.
    if (this.#refusal === undefined || end.kind !== 'complete') this.#parts.listener.over(end)
  }

  async #afterRefusal({ status, headers }: Refusal, body: Uint8Array, hide: Redact): Promise<void> {
    try {
      const challenge = headers[names.wwwAuthenticate]
      const { tokens, request } = this.#parts
      const refusal = { token: this.#token, status, challenge, exchange: request.exchange }
      const token = await tokens.afterRefusal(refusal)
      if (this.#aborted) return
      this.#refusal = undefined
      if (token !== undefined) {
        return this.#send(token)
      }
    } catch (error) {
      return this.#fail(error)
    }
    this.#passOn(status, headers, body, hide)
  }

  /** The refusal is the answer. */
  #passOn(status: number, headers: IncomingHttpHeaders, body: Uint8Array, hide: Redact): void {
    const { listener } = this.#parts
    if (listener.head(status, headers) === 'whole') listener.whole(body, hide)
    listener.over({ kind: 'complete' })
  }

  #send(token: string | undefined): void {
    if (this.#aborted) return
    this.#token = token
    const { origin, request } = this.#parts
    const headers = token === undefined ? request.headers : [...request.headers, names.authorization, `Bearer ${token}`]
    this.#round = origin.send({ ...request, headers }, this)
  }

  #fail(error: unknown): void {
    if (this.#aborted) return
    this.#refusal = undefined
    const cause = errorOf(error)
    this.#parts.listener.over({ kind: 'failed', sent: false, error: cause })
  }
}

function isScopeRefusal(status: number, headers: IncomingHttpHeaders): status is 403 {
  return status === 403 && /insufficient_scope/.test(headers[names.wwwAuthenticate] ?? '')
}
