import type { Exchange } from '@junctor/plugin-sdk/link'
import type { AccessTokens, CallerToken, TokenOwner, TokenRefusal } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { LRUCache } from 'lru-cache'
import { createMachineTokens } from '../machine/machine-tokens.ts'
import { oauthErrorOf } from '../oauth/token-failure.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { hashOf } from '../person/person.ts'

/**
 * Gets tokens for a server with the token of a caller. Rejects with a JunctorError.
 *
 * @param scope what the server asks for besides, separated by spaces
 */
export type ObtainTokens = (callerToken: string, scope: string | undefined) => Promise<Tokens>

/** Why there is no token for a caller. */
export type MissingToken =
  /** The caller has presented no access token. */
  | { readonly kind: 'none' }
  /** The caller's token has expired. */
  | { readonly kind: 'expired' }
  /** The authorization server issues none for this caller. `error`: RFC 6749, section 5.2. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The authorization server does not answer, or not as it should. */
  | { readonly kind: 'unavailable'; readonly cause: unknown }

/** The tokens of one link, each obtained with a token of the link's owner. */
export interface ExchangedTokens extends AccessTokens {
  /**
   * From now on, requests of the link itself are sent with this token of the owner, sealed, unless another one is known that
   * expires later.
   */
  present(callerToken: string): void
  /**
   * Gets the token for a request, unless it is known, and tells why there is none.
   *
   * @param callerToken as in {@link AccessTokens.current}
   */
  missing(callerToken: string | undefined): Promise<MissingToken | undefined>
}

/** The exchanged tokens for one server. */
export interface Exchanges {
  /**
   * The tokens of one link.
   *
   * @param first the token of the owner, sealed. `undefined`: the owner has presented none
   */
  tokens(owner: TokenOwner, first: string | undefined): ExchangedTokens
}

/** How a token is obtained, and how the sealed token of a caller is opened for it. */
export interface ExchangesOptions {
  readonly obtain: ObtainTokens
  /** Opens the token of an owner. `undefined`: it is not of this owner. */
  readonly open: (owner: TokenOwner, sealed: string) => CallerToken | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** How many tokens of callers have exchanged tokens in memory. */
const most = 10_000

/**
 * Keeps what was exchanged, by owner and token: all links of an owner at a node share it, and wait for the same request. It is
 * used until its own end or that of the caller's token, whichever comes first.
 */
export function createExchanges({ obtain, open, now }: ExchangesOptions): Exchanges {
  const kept = new LRUCache<string, AccessTokens>({ max: most })
  const of = (owner: TokenOwner, { token, expires }: CallerToken): AccessTokens => {
    const key = hashOf(JSON.stringify([owner.tenant, owner.principal, token]))
    let tokens = kept.get(key)
    if (tokens === undefined) {
      tokens = createMachineTokens({ fetch: (_challenge, scope) => obtain(token, scope), isKnown: true, now })
      kept.set(key, tokens, { ...(expires !== null && { ttl: Math.max(1, expires - now()) }) })
    }
    return tokens
  }
  return { tokens: (owner, first) => new TokensOfLink({ of, open, now }, owner, first) }
}

interface TokensOfLinkParts extends Pick<ExchangesOptions, 'open' | 'now'> {
  /** What a token is exchanged for. */
  readonly of: (owner: TokenOwner, token: CallerToken) => AccessTokens
}

class TokensOfLink implements ExchangedTokens {
  readonly #parts: TokensOfLinkParts
  readonly #owner: TokenOwner
  /** The token for requests of the link itself. */
  #latest: string | undefined

  constructor(parts: TokensOfLinkParts, owner: TokenOwner, first: string | undefined) {
    this.#parts = parts
    this.#owner = owner
    this.#latest = first
  }

  present(callerToken: string): void {
    const { open } = this.#parts
    const next = open(this.#owner, callerToken)
    const known = this.#latest === undefined ? undefined : open(this.#owner, this.#latest)
    if (next !== undefined && endOf(next) >= endOf(known)) this.#latest = callerToken
  }

  async missing(callerToken: string | undefined): Promise<MissingToken | undefined> {
    const found = this.#find(callerToken)
    if ('kind' in found) return found
    try {
      await found.current()
      return undefined
    } catch (error) {
      return failureOf(error)
    }
  }

  async current(exchange?: Exchange): Promise<string | undefined> {
    return this.#required(exchange).current()
  }

  async afterRefusal(refusal: TokenRefusal): Promise<string | undefined> {
    return this.#required(refusal.exchange).afterRefusal(refusal)
  }

  #required(exchange: Exchange | undefined): AccessTokens {
    const found = this.#find(exchange?.context.callerToken)
    if ('kind' in found) throw new JunctorError('BACKEND_REFUSED', `There is no token of the caller: ${found.kind}`)
    return found
  }

  #find(callerToken: string | undefined): AccessTokens | MissingToken {
    const { of, open, now } = this.#parts
    const sealed = callerToken ?? this.#latest
    const token = sealed === undefined ? undefined : open(this.#owner, sealed)
    if (token === undefined) return { kind: 'none' }
    if (token.expires !== null && now() >= token.expires) return { kind: 'expired' }
    return of(this.#owner, token)
  }
}

/** When a token expires, in epoch milliseconds. No token has expired long ago. */
function endOf(token: CallerToken | undefined): number {
  return token === undefined ? 0 : (token.expires ?? Infinity)
}

/**
 * The errors that concern the caller or what it asks for. All others concern the gateway (RFC 8693, section 2.2.2; OpenID
 * Connect Core, section 3.1.2.6).
 */
const ofCaller: ReadonlySet<string> = new Set([
  'access_denied',
  'consent_required',
  'interaction_required',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'login_required',
])

function failureOf(error: unknown): MissingToken {
  const code = oauthErrorOf(error)
  return code !== undefined && ofCaller.has(code)
    ? { kind: 'refused', error: code }
    : { kind: 'unavailable', cause: error }
}
