import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, membersOf, objectIn, type OpenApiDocument } from '../document/document.ts'
import { DocumentProblem, orProblem } from '../document/document-problem.ts'

/** Schemas that consist of schemas: those that are deeper are not looked at. */
const deepest = 16

/** The properties of a schema, and of those that it consists of. A property may come several times. */
export function propertiesOf(
  document: OpenApiDocument,
  given: JsonValue,
  pointer: string,
): readonly (readonly [string, JsonValue])[] {
  return partsOf(document, given, pointer).flatMap((part) => membersOf(part['properties']))
}

/** A schema after its references, and those that it consists of, each once: they may refer to each other. */
export function partsOf(document: OpenApiDocument, given: JsonValue, pointer: string): readonly JsonObject[] {
  const parts = new Set<JsonObject>()
  function add(one: JsonValue, left: number): void {
    const schema = schemaBehind(document, one, pointer)
    if (schema === undefined || left === 0 || parts.has(schema)) return
    parts.add(schema)
    for (const keyword of ['allOf', 'oneOf', 'anyOf']) for (const part of itemsOf(schema[keyword])) add(part, left - 1)
  }
  add(given, deepest)
  return [...parts]
}

/** A schema after its references; `undefined`: they lead to none. */
export function schemaBehind(
  document: OpenApiDocument,
  value: JsonValue | undefined,
  pointer: string,
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  const found = orProblem(() => objectIn(document, value, pointer))
  return found instanceof DocumentProblem ? undefined : found.value
}
