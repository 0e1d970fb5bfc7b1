import type { OpenApiDocument } from '../document/document.ts'
import { isBinary } from '../schema/convert-schema.ts'
import { propertiesOf, schemaBehind } from '../schema/properties-of.ts'
import type { RequestBody } from './body.ts'

/** The properties of a multipart body that are files, or lists of files: their texts are base64. */
export function binaryProperties(document: OpenApiDocument, body: RequestBody | undefined): ReadonlySet<string> {
  if (body?.kind !== 'multipart') return new Set()
  const names = propertiesOf(document, body.schema, body.pointer).flatMap(([name, value]) => {
    const schema = schemaBehind(document, value, body.pointer)
    const items = schemaBehind(document, schema?.['items'], body.pointer)
    return [schema, items].some((one) => one !== undefined && isBinary(one)) ? [name] : []
  })
  return new Set(names)
}
