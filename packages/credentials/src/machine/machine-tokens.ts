import type { AccessTokens, TokenRefusal } from '@junctor/contracts'
import { type Challenge, readChallenge } from '../oauth/challenge.ts'
import { isFresh, type Tokens } from '../oauth/tokens.ts'

export interface MachineTokensOptions {
  /** Gets new tokens from the authorization server. */
  readonly fetch: (challenge: Challenge, scope: string | undefined) => Promise<Tokens>
  /** Whether the first request already has a token: the authorization server is known without a challenge. */
  readonly isKnown: boolean
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** A token that replaced a refused one is not replaced before this time, in milliseconds: servers may refuse every token. */
const pauseMs = 10_000

/**
 * The tokens of the gateway itself at one server. All who wait for a token wait for the same request. A token is kept until
 * shortly before its end, and replaced once when the server refuses it.
 */
export function createMachineTokens(options: MachineTokensOptions): AccessTokens {
  return new MachineTokens(options)
}

class MachineTokens implements AccessTokens {
  readonly #options: MachineTokensOptions
  #isKnown: boolean
  #tokens: Tokens | undefined
  #replacedAt = Number.NEGATIVE_INFINITY
  #fetching: Promise<string> | undefined
  #challenge: Challenge = readChallenge(undefined)
  /** The scopes that the server has asked for. */
  #scope: string | undefined

  constructor(options: MachineTokensOptions) {
    this.#options = options
    this.#isKnown = options.isKnown
  }

  current(): string | undefined | Promise<string | undefined> {
    if (this.#tokens !== undefined && isFresh(this.#tokens, this.#options.now())) return this.#tokens.accessToken
    return this.#isKnown ? this.#fetch() : undefined
  }

  async afterRefusal({ token, status, challenge }: TokenRefusal): Promise<string | undefined> {
    const current = this.#tokens?.accessToken
    if (current !== undefined && current !== token) return current
    if (this.#fetching !== undefined) return this.#fetching
    const read = readChallenge(challenge)
    const now = this.#options.now()
    const isNew = token !== undefined && now - this.#replacedAt < pauseMs
    const wantsMore = read.scope !== undefined && read.scope !== this.#scope
    if (status === 403 ? !wantsMore : isNew && !wantsMore) return undefined
    if (token !== undefined) this.#replacedAt = now
    this.#challenge = read
    this.#scope = read.scope ?? this.#scope
    return this.#fetch()
  }

  #fetch(): Promise<string> {
    this.#fetching ??= this.#fetchOnce().finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  async #fetchOnce(): Promise<string> {
    this.#tokens = undefined
    const tokens = await this.#options.fetch(this.#challenge, this.#scope)
    this.#tokens = tokens
    this.#isKnown = true
    return tokens.accessToken
  }
}
