import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '@junctor/jsonrpc'

/** The declarations of a tool for MCP Apps: the resources of its views, and whether views may call it. */
export interface ToolViews {
  /** The URIs of its views, as its backend has them. */
  readonly uris: readonly string[]
  /** Whether the tool declares that views may call it. Undefined: it declares nothing. */
  readonly calledByViews: boolean | undefined
}

/** Members of `_meta` that name a view: an older name of MCP Apps, and that of ChatGPT. */
const flatNames = ['ui/resourceUri', 'openai/outputTemplate'] as const

/** Calls `see` with each object in a `_meta` that names a view, and with its member. Ends when `see` returns true. */
export function viewNames(meta: unknown, see: (holder: Record<string, JsonValue>, member: string) => boolean): boolean {
  if (!isRecord(meta)) return false
  const { ui } = meta
  if (isRecord(ui) && typeof ui['resourceUri'] === 'string' && see(ui, 'resourceUri')) return true
  return flatNames.some((name) => typeof meta[name] === 'string' && isViewUri(meta[name]) && see(meta, name))
}

/** A JSON object that has been parsed has no member that is undefined. */
function isRecord(value: unknown): value is Record<string, JsonValue> {
  return isJsonObject(value)
}

/** Whether a URI has the scheme of views (MCP Apps, "UI Resource Format"). ChatGPT takes pages of the web, too. */
export function isViewUri(uri: string): boolean {
  return /^ui:/i.test(uri)
}

/** Reads a tool of `tools/list`. */
export function readToolViews({ _meta: meta }: JsonObject): ToolViews | undefined {
  if (!isJsonObject(meta)) return undefined
  const uris = new Set<string>()
  viewNames(meta, (holder, member) => {
    uris.add(holder[member] as string)
    return false
  })
  const calledByViews = readVisibility(meta)
  return uris.size === 0 && calledByViews === undefined ? undefined : { uris: [...uris], calledByViews }
}

function readVisibility(meta: JsonObject): boolean | undefined {
  const { ui } = meta
  const visibility = memberOf(ui, 'visibility')
  if (Array.isArray(visibility)) return visibility.includes('app')
  const accessible = meta['openai/widgetAccessible']
  return typeof accessible === 'boolean' ? accessible : undefined
}
