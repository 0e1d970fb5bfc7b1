import { edit, isJsonObject, type JsonValue, member, memberOf, type Payload } from '@junctor/jsonrpc'

/**
 * The schemas of a tool in the form that clients before 2026-07-28 take; for another, official ones refuse the whole list. An
 * output schema is of an object there, and the schema of an argument is an object too: some servers write `true` for any value.
 */
export function plainToolSchemas(tool: Payload): Payload {
  const value = tool.value()
  if (!isJsonObject(value)) return tool
  const { outputSchema } = value
  const isOfObject = isJsonObject(outputSchema) && outputSchema['type'] === 'object'
  const patch: Record<string, Payload | undefined> = {
    ...plainProperties(tool, 'inputSchema', value['inputSchema']),
    ...(isOfObject && plainProperties(tool, 'outputSchema', outputSchema)),
    ...(outputSchema !== undefined && !isOfObject && { outputSchema: undefined }),
  }
  return Object.keys(patch).length === 0 ? tool : edit(tool, patch)
}

/** The schema with this name, if the schemas of its properties change. */
function plainProperties(
  tool: Payload,
  name: string,
  schema: JsonValue | undefined,
): Readonly<Record<string, Payload>> | undefined {
  const properties = memberOf(schema, 'properties')
  if (!isJsonObject(properties)) return undefined
  const odd = Object.entries(properties).filter(([, property]) => !isJsonObject(property) && !Array.isArray(property))
  const own = odd.length === 0 ? undefined : member(tool, name)
  const all = own && member(own, 'properties')
  if (own === undefined || all === undefined) return undefined
  const mended = odd.map(([key, property]) => [key, property === false ? { not: {} } : {}] as const)
  return { [name]: edit(own, { properties: edit(all, Object.fromEntries(mended)) }) }
}
