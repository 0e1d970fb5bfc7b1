import type { Accounts, Person } from '../upstream/accounts.ts'
import type { Users } from './users.ts'

/** Everyone who may log in: users of the file, and people whom providers know. */
export interface People {
  /** The person with this name of an account. `undefined`: there is none, or not any more. */
  find(account: string): Promise<Person | undefined>
}

/** Joins both. Their names never meet: those of providers' people begin with a URL, and no user's name may. */
export function createPeople(users: Pick<Users, 'claims'>, accounts: Pick<Accounts, 'find'>): People {
  return {
    async find(account) {
      const claims = users.claims(account)
      return claims === undefined ? accounts.find(account) : { claims, label: account }
    },
  }
}
