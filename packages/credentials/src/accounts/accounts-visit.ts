import type { Log, Seal } from '@junctor/contracts'
import type { AccountSource } from '@junctor/plugin-sdk'
import type { Cookies } from '../pages/cookies.ts'
import type { Visit } from '../pages/visit.ts'
import type { SingleUse } from '../person/single-use.ts'
import type { AccountTicket } from './account-tickets.ts'

/** What the page of all accounts is made with. */
export interface AccountsParts {
  /** The accounts of each backend, by its name. */
  readonly sources: ReadonlyMap<string, AccountSource>
  readonly tickets: SingleUse<AccountTicket>
  readonly seal: Seal
  readonly cookies: Cookies
  readonly log: Log
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** One request for the page of all accounts. */
export type AccountsVisit = Visit<AccountsParts>
