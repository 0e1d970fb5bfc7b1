import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'

/** What two equal requests have in common. */
export interface RequestKey {
  readonly method: string
  /** Without `_meta`, which has a progress token or a trace that differs each time. */
  readonly params: JsonValue
}

/** The key of a request. */
export function requestKey(method: string, params: JsonValue | undefined): RequestKey {
  if (!isJsonObject(params)) return { method, params: params ?? {} }
  const { _meta, ...rest } = params
  return { method, params: rest }
}

/** The key in one text, the same for members in another order. */
export function keyText({ method, params }: RequestKey): string {
  return `${method} ${JSON.stringify(sorted(params))}`
}

/** How alike two requests are: more is nearer. */
export function likeness(one: RequestKey, other: RequestKey): number {
  const [left, right] = [leavesOf(one.params), leavesOf(other.params)]
  const shared = left.filter((leaf) => right.includes(leaf)).length
  const same = left.length + right.length === 0 ? 1 : (2 * shared) / (left.length + right.length)
  return (one.method === other.method ? 10 : 0) + (nameOf(one) === nameOf(other) ? 5 : 0) + same
}

/** The tool or prompt, or the URI, that a request is about. */
function nameOf({ params }: RequestKey): unknown {
  return isJsonObject(params) ? (params['name'] ?? params['uri']) : undefined
}

function leavesOf(value: JsonValue, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path}=${JSON.stringify(value)}`, path]
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member as JsonValue, `${path}/${name}`))
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] as JsonValue)]))
}
