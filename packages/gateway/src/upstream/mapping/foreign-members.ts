import { isJsonObject, type JsonValue, memberOf, type Payload, rewrite } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import { viewDomain, type ViewDomains } from './view-domain.ts'

/** A challenge that sends the client to the backend's own authorization server. Clients log in at the gateway. */
const challenge = 'mcp/www_authenticate'

/** A member that must not reach the client as it is. */
export interface ForeignMember {
  readonly holder: Record<string, JsonValue>
  readonly name: string
  /** What the client gets in its place. `undefined`: nothing. */
  readonly value: JsonValue | undefined
}

/** The members of a result that must not reach the client as they are. Most results have none. */
export function foreignMembers(method: string, result: unknown, domains: ViewDomains): readonly ForeignMember[] {
  const found: ForeignMember[] = []
  const meta = objectAt(result, '_meta')
  if (meta?.[challenge] !== undefined) found.push({ holder: meta, name: challenge, value: undefined })
  const contents = method === methods.resourcesRead ? memberOf(result, 'contents') : undefined
  if (!Array.isArray(contents)) return found
  return [...found, ...contents.flatMap((content) => foreignDomain(content, domains) ?? [])]
}

/** An item of a list of resources, with an origin that fits, or none. */
export function withFittingDomain(item: Payload, domains: ViewDomains): Payload {
  if (foreignDomain(item.value(), domains) === undefined) return item
  return rewrite(item, (copy) => {
    const found = foreignDomain(copy, domains)
    if (found !== undefined) replace(found)
    return copy
  })
}

/** Replaces a member of a copy. */
export function replace({ holder, name, value }: ForeignMember): void {
  if (value === undefined) delete holder[name]
  else holder[name] = value
}

function foreignDomain(content: unknown, domains: ViewDomains): ForeignMember | undefined {
  const ui = objectAt(objectAt(content, '_meta'), 'ui')
  const domain = ui?.['domain']
  if (ui === undefined || typeof domain !== 'string') return undefined
  const value = viewDomain(domain, domains)
  return value === domain ? undefined : { holder: ui, name: 'domain', value }
}

function objectAt(value: unknown, name: string): Record<string, JsonValue> | undefined {
  const found = memberOf(value, name)
  // An object that has been parsed has no member that is undefined.
  return isJsonObject(found) ? (found as Record<string, JsonValue>) : undefined
}
