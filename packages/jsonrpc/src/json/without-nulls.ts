import { isJsonObject } from './json.ts'

/**
 * A parsed value without the members and items that are `null`, at any depth. For documents whose specification leaves out
 * what is not there, while many libraries print `null` for it. `null` itself stays as it is.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls)
  if (!isJsonObject(value)) return value
  const used = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(used.map(([name, member]) => [name, withoutNulls(member)]))
}
