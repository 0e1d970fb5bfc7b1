/** Whom a grant is of. */
export interface Person {
  readonly tenant: string
  /** The key of the principal. */
  readonly principal: string
}

/** What a person has let the gateway do at one server. Nothing of it is a secret. */
export interface ConnectedAccount {
  /** The host of the server. */
  readonly server: string
  /** The scopes that were granted, separated by spaces. Undefined: the server has not said which. */
  readonly scope: string | undefined
  /** When the person agreed, in epoch milliseconds. */
  readonly since: number
  /** When the access was last renewed at the server, in epoch milliseconds. Undefined: never. */
  readonly renewed: number | undefined
}

/** The accounts of people at the server of one backend, for the page where a person sees all of theirs. */
export interface AccountSource {
  /** The account of a person. Undefined: none is connected. */
  read(person: Person): Promise<ConnectedAccount | undefined>
  /** Ends the access of the gateway to the account, here and at the server. */
  end(person: Person): Promise<void>
}

/**
 * Makes a link to the page where this person sees and ends all their accounts. It can be used once, within ten minutes.
 *
 * @param label the name to show for the person
 */
export type OfferAccounts = (person: Person, label: string) => Promise<string>
