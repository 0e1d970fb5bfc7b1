import { isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, membersOf, objectIn, type OpenApiDocument } from '../document/document.ts'
import { DocumentProblem, orProblem } from '../document/document-problem.ts'
import { isBinary } from '../schema/convert-schema.ts'
import type { RequestBody } from './body.ts'

/** The properties of a multipart body that are files, or lists of files: their texts are base64. */
export function binaryProperties(document: OpenApiDocument, body: RequestBody | undefined): ReadonlySet<string> {
  if (body?.kind !== 'multipart') return new Set()
  const names = propertiesOf(document, body.schema, body.pointer).flatMap(([name, value]) => {
    const schema = objectOf(document, value, body.pointer)
    const items = objectOf(document, schema?.['items'], body.pointer)
    return [schema, items].some((one) => one !== undefined && isBinary(one)) ? [name] : []
  })
  return new Set(names)
}

/** The properties of a schema, and of those that it consists of. */
function propertiesOf(
  document: OpenApiDocument,
  given: JsonValue,
  pointer: string,
  depth = 8,
): readonly (readonly [string, JsonValue])[] {
  const schema = objectOf(document, given, pointer)
  if (schema === undefined || depth === 0) return []
  const parts = [...itemsOf(schema['allOf']), ...itemsOf(schema['oneOf']), ...itemsOf(schema['anyOf'])]
  return [
    ...membersOf(schema['properties']),
    ...parts.flatMap((part) => propertiesOf(document, part, pointer, depth - 1)),
  ]
}

function objectOf(document: OpenApiDocument, value: JsonValue | undefined, pointer: string) {
  if (!isJsonObject(value)) return undefined
  const found = orProblem(() => objectIn(document, value, pointer))
  return found instanceof DocumentProblem ? undefined : found.value
}
