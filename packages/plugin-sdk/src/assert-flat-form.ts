import { isJsonObject, type JsonObject, memberOf } from '@junctor/jsonrpc'

/**
 * Checks that no member of a form is an object, or a list of objects: no client can show it (specification:
 * PrimitiveSchemaDefinition), and most answer such a request with an error that does not say why.
 *
 * @throws Error that names the member
 */
export function assertFlatForm(properties: JsonObject): void {
  for (const [name, member] of Object.entries(properties)) {
    if (isOfObjects(member) || isOfObjects(memberOf(member, 'items'))) {
      const expected = 'text, numbers, true or false, and choices in a form'
      throw new Error(`Expected ${expected}, got objects in ${JSON.stringify(name)}: ask for their members instead`)
    }
  }
}

function isOfObjects(schema: unknown): boolean {
  return memberOf(schema, 'type') === 'object' || isJsonObject(memberOf(schema, 'properties'))
}
