import { isWithin } from './is-within.ts'
import { askedPauseOf, oauthErrorOf } from './token-failure.ts'

/**
 * For how long an authorization server is not asked again, in milliseconds, after it has refused a token with an error,
 * and after any other failure: calls that come again and again must not become requests to it.
 */
const refusedMs = 5_000
const failedMs = 1_000

/** A server may ask to be left alone for longer (`Retry-After`), but not for hours, in milliseconds. */
const mostMs = 60_000

interface Failure {
  readonly error: unknown
  /** Epoch milliseconds. */
  readonly at: number
  /** For how long the server is not asked again, in milliseconds. */
  readonly pauseMs: number
}

/** The failures of requests for tokens, each for seconds. */
export class RecentFailures {
  readonly #most: number
  readonly #now: () => number
  readonly #failures = new Map<string, Failure>()

  /**
   * @param most how many are remembered
   * @param now epoch milliseconds
   */
  constructor(most: number, now: () => number) {
    this.#most = most
    this.#now = now
  }

  /** @throws the failure of this request, as long as it is not sent again */
  check(request: string): void {
    const failure = this.#failures.get(request)
    if (failure !== undefined && isWithin(failure.pauseMs, failure.at, this.#now())) throw failure.error
  }

  add(request: string, error: unknown): void {
    const leastMs = oauthErrorOf(error) === undefined ? failedMs : refusedMs
    const pauseMs = Math.max(leastMs, Math.min(askedPauseOf(error) ?? 0, mostMs))
    this.#failures.delete(request)
    this.#failures.set(request, { error, at: this.#now(), pauseMs })
    const [oldest] = this.#failures.keys()
    if (oldest !== undefined && this.#failures.size > this.#most) this.#failures.delete(oldest)
  }
}
