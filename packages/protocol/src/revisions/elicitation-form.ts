import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '@junctor/jsonrpc'

/** Whether a form (`requestedSchema`) has a choice of several values. Older revisions have no equivalent. */
export function hasMultipleChoice(schema: unknown): boolean {
  return fieldsOf(schema).some(([, field]) => memberOf(field, 'type') === 'array')
}

/** Whether a form has a choice of values with titles in the format of 2025-11-25. */
export function hasTitledChoice(schema: unknown): boolean {
  return fieldsOf(schema).some(([, field]) => isTitledChoice(field))
}

/** Converts the titled choices of a form to the format of 2025-06-18: `enum` and `enumNames` instead of `oneOf`. */
export function withPlainChoices(schema: JsonObject): JsonObject {
  const fields = fieldsOf(schema).map(([name, field]) => [name, isTitledChoice(field) ? plainChoice(field) : field])
  return { ...schema, properties: Object.fromEntries(fields) as JsonObject }
}

function fieldsOf(schema: unknown): [string, JsonValue | undefined][] {
  const properties = memberOf(schema, 'properties')
  return isJsonObject(properties) ? Object.entries(properties) : []
}

function isTitledChoice(field: JsonValue | undefined): field is JsonObject & { readonly oneOf: readonly JsonObject[] } {
  return isJsonObject(field) && Array.isArray(field['oneOf']) && field['oneOf'].every(isJsonObject)
}

function plainChoice({ oneOf, ...rest }: JsonObject & { readonly oneOf: readonly JsonObject[] }): JsonObject {
  return {
    ...rest,
    enum: oneOf.map((option) => option['const'] ?? null),
    enumNames: oneOf.map((option) => option['title'] ?? option['const'] ?? null),
  }
}
