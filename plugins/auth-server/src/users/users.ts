import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { AuthServerConfig } from '../config.ts'
import { isPassword } from './hash-password.ts'
import { type PasswordHash, readPasswordHash } from './password-hash.ts'
import { createStandIns } from './stand-ins.ts'

/** The result of a login. */
type Login =
  | { readonly kind: 'user'; readonly name: string }
  /** There is no such user, or the password is wrong. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly retryAfterMs: number }

/** The people who may log in. */
export interface Users {
  /** Whether there are no users with passwords. */
  readonly isEmpty: boolean
  /**
   * Checks a password.
   *
   * @param client the text under which failed logins from the browser's address are counted
   */
  login(name: string, password: string, client: string): Promise<Login>
  /** The claims of a user. `undefined`: there is no such user. */
  claims(name: string): Readonly<Record<string, unknown>> | undefined
}

/** The most failed logins in a minute: for one name from one address, and for all names from one address. */
const mostOfUser = 10
const mostOfAddress = 60

/**
 * The most password checks at the same time. Each takes 32 MiB, and at most 256 MiB with a hash from elsewhere. One of the
 * four threads that Node has for such work stays free: names of hosts and files are looked up on it too.
 */
const mostChecks = 3

/** Creates the users of a configuration. */
export function createUsers(users: AuthServerConfig['users']): Users {
  const names = new Map(Object.keys(users).map((name) => [plain(name), name]))
  const hashes = hashesOf(users)
  const standIn = createStandIns([...hashes.values()])
  const ofUser = new RateLimiterMemory({ points: mostOfUser, duration: 60 })
  const ofAddress = new RateLimiterMemory({ points: mostOfAddress, duration: 60 })
  let checks = 0

  const waitMs = async (key: string, client: string): Promise<number> => {
    const found = [
      [await ofUser.get(key), mostOfUser],
      [await ofAddress.get(client), mostOfAddress],
    ] as const
    const over = found.map(([record, most]) =>
      record !== null && record.consumedPoints >= most ? record.msBeforeNext : 0,
    )
    return Math.max(...over)
  }

  return {
    isEmpty: Object.keys(users).length === 0,
    async login(written, password, client) {
      const name = names.get(plain(written)) ?? ''
      const key = JSON.stringify([plain(written), client])
      const retryAfterMs = await waitMs(key, client)
      if (retryAfterMs > 0) return { kind: 'too_many', retryAfterMs }
      if (checks >= mostChecks) return { kind: 'too_many', retryAfterMs: 1_000 }
      checks += 1
      try {
        const hash = hashes.get(name)
        const other = standIn(plain(written))
        const isRight = await isPassword(password, hash ?? other)
        if (hash !== undefined && isRight) return { kind: 'user', name }
      } finally {
        checks -= 1
      }
      await Promise.allSettled([ofUser.consume(key), ofAddress.consume(client)])
      return { kind: 'refused' }
    },
    claims: (name) => (Object.hasOwn(users, name) ? (users[name]?.claims ?? {}) : undefined),
  }
}

/** The hashes by the names of users. The schema of the configuration has refused all that cannot be read. */
function hashesOf(users: AuthServerConfig['users']): ReadonlyMap<string, PasswordHash> {
  const hashes = new Map<string, PasswordHash>()
  for (const [name, { password }] of Object.entries(users)) {
    const read = readPasswordHash(password)
    if (read.kind === 'hash') hashes.set(name, read.hash)
  }
  return hashes
}

/** A name in the one form in which names are compared: keyboards encode the same text in different ways. */
function plain(name: string): string {
  return name.normalize('NFC')
}
