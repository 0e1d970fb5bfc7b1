import type { AccessTokens, TokenRefusal } from '@junctor/contracts'
import { type Challenge, readChallenge } from '../oauth/challenge.ts'
import { isWithin } from '../oauth/is-within.ts'
import { unitedScopes } from '../oauth/scopes.ts'
import { RecentFailures } from '../oauth/recent-failures.ts'
import { isFresh, isStillGood, type Tokens } from '../oauth/tokens.ts'

/**
 * How the gateway gets a token of its own (OAuth 2.1, section 4.2), and whether it can do so before the server asks
 * for one.
 */
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

/** How many refused sets of scopes are remembered. */
const mostFailures = 10

/** The longest text of scopes that is asked for. Servers name them, so that there could be more and more. */
const longestScope = 4096

/** What is asked for. */
interface Wanted {
  readonly challenge: Challenge
  /** Separated by spaces. */
  readonly scope: string | undefined
}

/**
 * The tokens of the gateway itself at one server. All who wait for a token wait for the same request. A token is kept until
 * shortly before its end, or to its end when there is no other one, and replaced once when the server refuses it. A failure is
 * remembered for seconds.
 */
export function createMachineTokens(options: MachineTokensOptions): AccessTokens {
  return new MachineTokens(options)
}

class MachineTokens implements AccessTokens {
  readonly #options: MachineTokensOptions
  #isKnown: boolean
  #tokens: Tokens | undefined
  #replacedAt = Number.NEGATIVE_INFINITY
  /** Requests on their way, and failures, by the scopes that were asked for. */
  readonly #running = new Map<string | undefined, Promise<string>>()
  readonly #failures: RecentFailures
  /** What the tokens were got with. `scope`: all that the server has asked for, and that was issued. */
  #wanted: Wanted = { challenge: readChallenge(undefined), scope: undefined }

  constructor(options: MachineTokensOptions) {
    this.#options = options
    this.#isKnown = options.isKnown
    this.#failures = new RecentFailures(mostFailures, options.now)
  }

  current(): string | undefined | Promise<string | undefined> {
    const tokens = this.#tokens
    if (tokens !== undefined && isFresh(tokens, this.#options.now())) return tokens.accessToken
    if (!this.#isKnown) return undefined
    return tokens === undefined ? this.#fetch(this.#wanted) : this.#replaceEarly(tokens)
  }

  async #replaceEarly(tokens: Tokens): Promise<string> {
    try {
      return await this.#fetch(this.#wanted)
    } catch (error) {
      if (isStillGood(tokens, error, this.#options.now())) return tokens.accessToken
      throw error
    }
  }

  async afterRefusal({ token, status, challenge }: TokenRefusal): Promise<string | undefined> {
    const current = this.#tokens?.accessToken
    const read = readChallenge(challenge)
    const scope = widened(this.#wanted.scope, read.scope)
    const wantsMore = scope !== this.#wanted.scope
    // The token was replaced meanwhile, maybe for other scopes.
    if (current !== undefined && current !== token && !(status === 403 && wantsMore)) return current
    // A token that only lacks a scope stays good for other requests, also when the authorization server gives no wider one.
    if (status === 403) return wantsMore ? this.#fetch({ challenge: read, scope }) : undefined
    const running = this.#running.get(this.#wanted.scope)
    if (running !== undefined) return running
    const now = this.#options.now()
    if (token !== undefined && isWithin(pauseMs, this.#replacedAt, now) && !wantsMore) return undefined
    if (token !== undefined) this.#replacedAt = now
    this.#tokens = undefined
    return this.#fetch({ challenge: read, scope })
  }

  async #fetch(wanted: Wanted): Promise<string> {
    this.#failures.check(wanted.scope ?? '')
    const running = this.#running.get(wanted.scope) ?? this.#fetchOnce(wanted)
    this.#running.set(wanted.scope, running)
    return running
  }

  async #fetchOnce(wanted: Wanted): Promise<string> {
    const { scope } = wanted
    try {
      const tokens = await this.#options.fetch(wanted.challenge, scope)
      this.#tokens = tokens
      this.#wanted = wanted
      this.#isKnown = true
      return tokens.accessToken
    } catch (error) {
      this.#failures.add(scope ?? '', error)
      throw error
    } finally {
      this.#running.delete(scope)
    }
  }
}

/** The scopes that the server has asked for so far, and those that it asks for now. */
function widened(before: string | undefined, now: string | undefined): string | undefined {
  const both = unitedScopes(before, now)
  return (both?.length ?? 0) > longestScope ? now : both
}
