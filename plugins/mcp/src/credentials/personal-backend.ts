import type { PersonCredentials } from '@junctor/credentials'
import type { Backend, Log } from '@junctor/plugin-sdk/link'
import { anonymous, openUnidentifiedLink } from './unidentified-link.ts'
import type { OpenWithTokens } from './open-with-tokens.ts'
import { openPersonalLink } from './personal-link.ts'

export interface PersonalBackendParts {
  readonly name: string
  readonly people: PersonCredentials
  readonly open: OpenWithTokens
  readonly close: () => Promise<void>
  readonly log: Log
}

/** A backend that is called with the account of each caller. */
export function createPersonalBackend({ name, people, open, close, log }: PersonalBackendParts): Backend {
  return {
    name,
    correlates: true,
    isPersonal: true,
    open(scope, client, signal) {
      const { tenant, principal } = scope
      if (principal === undefined || principal === anonymous) return openUnidentifiedLink(name)
      const person = { tenant, principal }
      return openPersonalLink({ name, people, open, log, person, scope, client }, signal)
    },
    close,
  }
}
