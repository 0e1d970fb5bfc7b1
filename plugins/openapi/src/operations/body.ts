import { type JsonObject, isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { membersOf, objectIn, type OpenApiDocument, textOf } from '../document/document.ts'
import { DocumentProblem } from '../document/document-problem.ts'
import { pointerTo } from '../document/json-pointer.ts'
import { contentKind } from './content-kind.ts'
import { mediaContents, type MediaKind, preferredContent } from './media-type.ts'
import type { OperationEntry } from './operation-entry.ts'

/** The body of an operation's request, in the one media type that is used. */
export interface RequestBody {
  readonly mediaType: string
  readonly kind: MediaKind
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: JsonValue
  /** The pointer of the schema. */
  readonly pointer: string
  /** How the properties of a form are written, by their names. */
  readonly encoding: Readonly<Record<string, JsonObject>>
}

/**
 * The body that an operation takes; `undefined`: it takes none.
 *
 * @throws DocumentProblem when it cannot be read
 */
export function readBody(document: OpenApiDocument, { value, pointer }: OperationEntry): RequestBody | undefined {
  if (value['requestBody'] === undefined) return undefined
  const body = objectIn(document, value['requestBody'], pointerTo(pointer, 'requestBody'))
  const content = preferredContent(mediaContents(body.value['content']))
  if (content === undefined) throw new DocumentProblem(body.pointer, 'expected a requestBody with "content"')
  const { mediaType } = content
  const at = pointerTo(body.pointer, 'content', mediaType, 'schema')
  const kind = contentKind(document, content, at)
  return {
    mediaType: mediaType.includes('*') ? usualType[kind] : mediaType,
    kind,
    required: body.value['required'] === true,
    description: textOf(body.value['description']),
    schema: content.value['schema'] ?? {},
    pointer: at,
    encoding: Object.fromEntries(
      membersOf(content.value['encoding']).flatMap(([name, one]) => (isJsonObject(one) ? [[name, one]] : [])),
    ),
  }
}

/** What is sent where the document has only a range of media types. */
const usualType: Readonly<Record<MediaKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  text: 'text/plain',
  binary: 'application/octet-stream',
}
