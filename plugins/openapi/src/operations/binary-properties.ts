import type { JsonValue } from '@junctor/plugin-sdk/link'
import type { OpenApiDocument } from '../document/document.ts'
import { isBinary } from '../schema/convert-schema.ts'
import { partsOf, propertiesOf } from '../schema/properties-of.ts'
import type { RequestBody } from './body.ts'

/** The properties of a multipart body that may be files, or lists of files: their texts are base64. */
export function binaryProperties(document: OpenApiDocument, body: RequestBody | undefined): ReadonlySet<string> {
  if (body?.kind !== 'multipart') return new Set()
  const { schema: form, pointer } = body
  // An optional file is one of several: `anyOf` bytes and null.
  const isFile = (value: JsonValue): boolean => partsOf(document, value, pointer).some(isBinary)
  const isFiles = (value: JsonValue): boolean =>
    partsOf(document, value, pointer).some(({ items }) => items !== undefined && isFile(items))
  const names = propertiesOf(document, form, pointer).flatMap(([name, value]) =>
    isFile(value) || isFiles(value) ? [name] : [],
  )
  return new Set(names)
}
