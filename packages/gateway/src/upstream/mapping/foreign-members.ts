import type { JsonValue, Payload } from '@junctor/jsonrpc'
import { isJsonObject, rewrite } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'

/** A challenge that sends the client to the backend's own authorization server. Clients log in at the gateway. */
const challenge = 'mcp/www_authenticate'

/** Origins of views that are made from the URL of the server: behind a gateway they never fit, and then no view is shown. */
const ofServerUrl = '.claudemcpcontent.com'

/**
 * Calls `see` with each object of a result that has a member which must not reach the client, and with that member.
 * Stops and returns true when `see` returns true.
 */
export function foreignMembers(
  method: string,
  result: unknown,
  see: (holder: Record<string, JsonValue>, name: string) => boolean,
): boolean {
  const meta = objectAt(result, '_meta')
  if (meta?.[challenge] !== undefined && see(meta, challenge)) return true
  const contents = method === methods.resourcesRead && isJsonObject(result) ? result['contents'] : undefined
  return Array.isArray(contents) && contents.some((content) => hasForeignDomain(content, see))
}

/** An item of a list of resources, without an origin that cannot fit. */
export function withoutForeignDomain(item: Payload): Payload {
  if (!hasForeignDomain(item.value(), () => true)) return item
  return rewrite(item, (copy) => {
    hasForeignDomain(copy, (holder, name) => {
      delete holder[name]
      return false
    })
    return copy
  })
}

function hasForeignDomain(content: unknown, see: Parameters<typeof foreignMembers>[2]): boolean {
  const ui = objectAt(objectAt(content, '_meta'), 'ui')
  const domain = ui?.['domain']
  return ui !== undefined && typeof domain === 'string' && domain.endsWith(ofServerUrl) && see(ui, 'domain')
}

function objectAt(value: unknown, name: string): Record<string, JsonValue> | undefined {
  const found = isJsonObject(value) ? value[name] : undefined
  // An object that has been parsed has no member that is undefined.
  return isJsonObject(found) ? (found as Record<string, JsonValue>) : undefined
}
