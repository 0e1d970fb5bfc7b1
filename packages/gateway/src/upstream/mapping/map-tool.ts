import { edit, isJsonObject, member, type Payload } from '@junctor/jsonrpc'
import { uriFor } from '@junctor/protocol'
import { viewNames } from '../../shared/tool-views.ts'

/** The member in which a tool declares its backend's login. Clients log in at the gateway, and never at a backend. */
const login = 'securitySchemes'

/**
 * A tool of a backend's list with public URIs of its views (MCP Apps), in each of the places that hosts read, and without
 * the backend's own login.
 */
export function mapTool(item: Payload, prefix: string): Payload {
  const value = item.value()
  if (!isJsonObject(value)) return item
  const meta = isJsonObject(value['_meta']) ? member(item, '_meta') : undefined
  const mapped = meta === undefined ? undefined : mapMeta(meta, prefix)
  if (mapped === meta && value[login] === undefined) return item
  return edit(item, {
    ...(mapped !== meta && { _meta: mapped }),
    ...(value[login] !== undefined && { [login]: undefined }),
  })
}

function mapMeta(meta: Payload, prefix: string): Payload {
  const value = meta.value()
  if (!isJsonObject(value)) return meta
  const patch: Record<string, Payload | string | undefined> = {}
  if (value[login] !== undefined) patch[login] = undefined
  if (prefix !== '') {
    viewNames(value, (holder, name) => {
      const uri = uriFor(prefix, holder[name] as string)
      const ui = holder === value ? undefined : member(meta, 'ui')
      if (ui === undefined) patch[name] = uri
      else patch['ui'] = edit(ui, { [name]: uri })
      return false
    })
  }
  return Object.keys(patch).length === 0 ? meta : edit(meta, patch)
}
