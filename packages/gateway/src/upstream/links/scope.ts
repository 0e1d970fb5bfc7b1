import type { Scope } from '@junctor/contracts'
import { canonicalText, type JsonObject } from '@junctor/jsonrpc'
import { eraOf, relayedCapabilities, type Revision, sharedCapabilities } from '@junctor/protocol'
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
  /** The revision that the client speaks. Absent: the gateway itself calls. */
  readonly revision: Revision | undefined
}

/**
 * The scope of the link that this caller uses.
 *
 * A link that carries a person's credentials is never shared by two principals.
 *
 * If each session has its own link, the calls of a principal without a session share one link for each set of
 * capabilities, and for each era that the backend follows.
 *
 * A link that several sessions share declares client features only if the backend correlates each of its messages with
 * a request. Then it is shared only between clients that declare the same features, and, if the backend follows the era of
 * its clients, that speak the same one. All others declare views (MCP Apps), which ask nothing of a client.
 */
export function scopeFor(entry: BackendEntry, user: LinkUser): Scope {
  const { tenant, principal, session } = user
  const isolation = entry.backend.isPersonal === true ? 'session' : entry.isolation
  const own = { capabilities: relayedCapabilities(user.capabilities), ...eraIn(entry, user) }
  if (isolation === 'session' && principal !== undefined) {
    const key = session === undefined ? `sessionless ${declaredKey(own, [tenant, principal])}` : `session ${session}`
    return { tenant, principal, session, ...own, key }
  }
  const isUnasked = isolation === 'session'
  const declared = entry.backend.correlates ? own : { capabilities: isUnasked ? {} : sharedCapabilities }
  const scope = { principal: undefined, session: undefined, ...declared }
  return isolation === 'shared'
    ? { tenant: '', ...scope, key: `shared ${declaredKey(declared)}` }
    : { tenant, ...scope, key: `tenant ${declaredKey(declared, [tenant])}` }
}

/** What a link declares of its client. */
type Declared = Pick<Scope, 'capabilities' | 'era'>

function eraIn({ backend }: BackendEntry, { revision }: LinkUser): Pick<Scope, 'era'> {
  return backend.followsEra !== true || revision === undefined ? {} : { era: eraOf(revision) }
}

function declaredKey({ capabilities, era }: Declared, owner: readonly string[] = []): string {
  return canonicalText([...owner, capabilities, ...(era === undefined ? [] : [era])])
}
