import type { Accounts, Person } from '../upstream/accounts.ts'
import type { Users } from './users.ts'

/** Everyone who may log in: users in the file, and people of providers. */
export interface People {
  /** The person with this account name. `undefined`: there is no such person, or the person may not log in any more. */
  find(account: string): Promise<Person | undefined>
}

/** Joins both. Their names are never equal: those of providers' people begin with a URL, and no name in the file may. */
export function createPeople(users: Pick<Users, 'claims'>, accounts: Pick<Accounts, 'find'>): People {
  return {
    async find(account) {
      const claims = users.claims(account)
      return claims === undefined ? accounts.find(account) : { claims, label: account }
    },
  }
}
