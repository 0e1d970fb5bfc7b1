import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { AuthServerConfig } from '../config.ts'
import { isPassword } from './hash-password.ts'
import { type PasswordHash, readPasswordHash } from './password-hash.ts'
import { createStandIns } from './stand-ins.ts'
import { createTurns } from './turns.ts'

/** The result of a login. */
type Login =
  | { readonly kind: 'user'; readonly name: string }
  /** There is no such user, or the password is wrong. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly retryAfterMs: number }
  /** Too many others log in. */
  | { readonly kind: 'busy' }

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

/** The most logins that wait for their check. The last one waits for some ten seconds. */
const mostWaiting = 100

/** Creates the users of a configuration. */
export function createUsers(users: AuthServerConfig['users']): Users {
  const names = new Map(Object.keys(users).map((name) => [plain(name), name]))
  const hashes = hashesOf(users)
  const standIn = createStandIns([...hashes.values()])
  const ofUser = new RateLimiterMemory({ points: mostOfUser, duration: 60 })
  const ofAddress = new RateLimiterMemory({ points: mostOfAddress, duration: 60 })
  const takeTurn = createTurns(mostChecks, mostWaiting)

  /** Counts an attempt before it is checked, so that no more are checked at the same time than in turn. */
  const countIn = async (key: string, client: string): Promise<Login | undefined> => {
    try {
      await ofUser.consume(key)
      await ofAddress.consume(client)
      return undefined
    } catch (reason) {
      if (reason instanceof RateLimiterRes) return { kind: 'too_many', retryAfterMs: reason.msBeforeNext }
      throw reason
    }
  }
  const countOut = (key: string, client: string): Promise<unknown> =>
    Promise.all([ofUser.reward(key), ofAddress.reward(client)])

  return {
    isEmpty: Object.keys(users).length === 0,
    async login(written, password, client) {
      const name = names.get(plain(written)) ?? ''
      const key = JSON.stringify([plain(written), client])
      const refused = await countIn(key, client)
      if (refused !== undefined) return refused
      const hash = hashes.get(name)
      const check = takeTurn(() => isPassword(password, hash ?? standIn(plain(written))))
      const isUser = check !== undefined && (await check) && hash !== undefined
      if (check !== undefined && !isUser) return { kind: 'refused' }
      await countOut(key, client)
      return isUser ? { kind: 'user', name } : { kind: 'busy' }
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
