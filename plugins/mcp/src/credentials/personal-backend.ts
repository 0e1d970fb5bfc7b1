import type { Person } from '@junctor/plugin-sdk'
import type { Backend, Client, Link, Scope } from '@junctor/plugin-sdk/link'
import { anonymous, openUnidentifiedLink } from './unidentified-link.ts'

/** How the link of one person is opened, and what is closed with the backend. */
export interface PersonalBackendParts {
  readonly name: string
  /** Opens the link of a person. */
  readonly openLink: (
    person: Person,
    owner: { readonly scope: Scope; readonly client: Client },
    signal: AbortSignal,
  ) => Promise<Link>
  /** Whether the links take the access tokens of their callers. Default: they do not. */
  readonly takesCallerToken?: true
  /** Whether the server may speak either era. */
  readonly followsEra: boolean
  readonly close: () => Promise<void>
}

/** A backend that acts for its callers: each has a link of their own. Callers without an identity are offered nothing. */
export function createPersonalBackend({
  name,
  openLink,
  takesCallerToken,
  followsEra,
  close,
}: PersonalBackendParts): Backend {
  return {
    name,
    correlates: true,
    isPersonal: true,
    followsEra,
    ...(takesCallerToken !== undefined && { takesCallerToken }),
    open(scope, client, signal) {
      const { tenant, principal } = scope
      if (principal === undefined || principal === anonymous) return openUnidentifiedLink(name)
      return openLink({ tenant, principal }, { scope, client }, signal)
    },
    close,
  }
}
