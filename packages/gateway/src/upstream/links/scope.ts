import type { Scope } from '@junctor/contracts'
import { canonicalText, type JsonObject } from '@junctor/jsonrpc'
import { relayedCapabilities, sharedCapabilities } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/** The user of a link: the caller, reduced to what selects its links. */
export interface LinkUser {
  readonly tenant: string
  /** The key of the calling principal. Absent: the gateway itself calls. */
  readonly principal: string | undefined
  /** Absent: the caller has no session. */
  readonly session: string | undefined
  /** The capabilities that the client declared. */
  readonly capabilities: JsonObject
}

/**
 * The scope of the link that this caller uses.
 *
 * A link that carries a person's credentials is never shared by two principals.
 *
 * If each session has its own link, the calls of a principal without a session share one link for each set of
 * capabilities.
 *
 * A link that several sessions share declares client features only if the backend correlates each of its messages with
 * a request. Then it is shared only between clients that declare the same features. All others declare views (MCP
 * Apps), which ask nothing of a client.
 */
export function scopeFor(entry: BackendEntry, { tenant, principal, session, capabilities: declared }: LinkUser): Scope {
  const isolation = entry.backend.isPersonal === true ? 'session' : entry.isolation
  if (isolation === 'session' && principal !== undefined) {
    const capabilities = relayedCapabilities(declared)
    const key =
      session === undefined ? `sessionless ${canonicalText([tenant, principal, capabilities])}` : `session ${session}`
    return { tenant, principal, session, capabilities, key }
  }
  const hasNoPrincipal = isolation === 'session'
  const unasked = hasNoPrincipal ? {} : sharedCapabilities
  const capabilities = entry.backend.correlates ? relayedCapabilities(declared) : unasked
  const scope = { principal: undefined, session: undefined, capabilities }
  return isolation === 'shared'
    ? { tenant: '', ...scope, key: `shared ${canonicalText(capabilities)}` }
    : { tenant, ...scope, key: `tenant ${tenant} ${canonicalText(capabilities)}` }
}
