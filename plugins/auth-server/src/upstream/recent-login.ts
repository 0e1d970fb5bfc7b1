/** How recent a login at a provider must be. */
export interface RecentLogin {
  /** The most seconds from the login to `begun`. 0: the person must log in after `begun`. */
  readonly maxAge: number
  /** When the browser was sent to the provider, in epoch milliseconds. */
  readonly begun: number
}

/** How much the clock of a provider may be ahead, in seconds. The library allows the same for a clock that is behind. */
const toleranceSeconds = 30

/**
 * The most seconds since the last login that a client accepts (OpenID Connect Core section 3.1.2.1). Undefined: it accepts
 * any login. `prompt=login` is `max_age=0`; the library makes both the same.
 *
 * @param params of the request for authorization, which the library has checked
 */
export function acceptedAge({ prompt, max_age: maxAge }: Readonly<Record<string, unknown>>): number | undefined {
  if (String(prompt).split(' ').includes('login')) return 0
  return maxAge === undefined ? undefined : Number(maxAge)
}

/**
 * What the provider is asked for. `max_age` makes it name the time of the login (section 2, `auth_time`); without this
 * time, nobody would see that a person has taken `prompt=login` out of the URL.
 */
export function recentLoginParameters(maxAge: number | undefined): Readonly<Record<string, string>> {
  if (maxAge === undefined) return {}
  return { max_age: String(maxAge), ...(maxAge === 0 && { prompt: 'login' }) }
}

/**
 * The most seconds that may have passed since the login when the ID token comes (section 3.1.3.7): the person may have
 * needed a while at the provider after the login.
 *
 * @param now epoch milliseconds
 */
export function longestAge({ maxAge, begun }: RecentLogin, now: number): number {
  return maxAge + Math.ceil(Math.max(0, now - begun) / 1000)
}

/** Whether the time of a login is still to come. Such a login would be recent for ever. */
export function isToCome(authTime: number, now: number): boolean {
  return authTime > now / 1000 + toleranceSeconds
}
