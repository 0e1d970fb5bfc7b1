import type { Exchanges } from '@junctor/credentials'
import type { Backend, Log } from '@junctor/plugin-sdk/link'
import { openExchangingLink } from './exchanging-link.ts'
import { anonymous, openUnidentifiedLink } from './unidentified-link.ts'
import type { OpenWithTokens } from './open-with-tokens.ts'

export interface ExchangingBackendParts {
  readonly name: string
  readonly exchanges: Exchanges
  readonly open: OpenWithTokens
  readonly close: () => Promise<void>
  readonly log: Log
}

/** A backend that is called with tokens for which the tokens of its callers are exchanged. */
export function createExchangingBackend({ name, exchanges, open, close, log }: ExchangingBackendParts): Backend {
  return {
    name,
    correlates: true,
    isPersonal: true,
    takesCallerToken: true,
    open(scope, client, signal) {
      const { tenant, principal, callerToken } = scope
      if (principal === undefined || principal === anonymous) return openUnidentifiedLink(name)
      const tokens = exchanges.tokens({ tenant, principal }, callerToken)
      return openExchangingLink({ name, tokens, open, log, principal, scope, client }, signal)
    },
    close,
  }
}
