import { isJsonObject } from '@junctor/plugin-sdk/link'
import { objectIn, type OpenApiDocument } from '../document/document.ts'
import { typesIn } from '../schema/schema-keywords.ts'
import type { MediaContent, MediaKind } from './media-type.ts'

/** Keywords of schemas that no text matches, or that consist of others, which bytes do not. */
const jsonKeywords = ['properties', 'additionalProperties', 'items', 'allOf', 'anyOf', 'oneOf']

/**
 * How a body is written. A range of media types does not say so; a schema of objects or lists does.
 *
 * @param pointer where the schema is
 * @throws DocumentProblem for a broken reference
 */
export function contentKind(
  document: OpenApiDocument,
  { mediaType, kind, value }: MediaContent,
  pointer: string,
): MediaKind {
  if (mediaType !== '*/*' || !isJsonObject(value['schema'])) return kind
  const schema = objectIn(document, value['schema'], pointer).value
  const isJson = typesIn(schema['type']).some((type) => type !== 'string' && type !== 'null')
  return isJson || jsonKeywords.some((keyword) => schema[keyword] !== undefined) ? 'json' : kind
}
