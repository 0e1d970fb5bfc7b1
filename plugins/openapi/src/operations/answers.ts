import type { JsonValue } from '@junctor/plugin-sdk/link'
import { membersOf, objectIn, type OpenApiDocument } from '../document/document.ts'
import { pointerTo } from '../document/json-pointer.ts'
import { contentKind } from './content-kind.ts'
import { mediaContents } from './media-type.ts'
import type { OperationEntry } from './operation-entry.ts'

/** A schema of the JSON that a successful answer may have. */
interface AnswerSchema {
  readonly schema: JsonValue
  readonly pointer: string
}

/** The answers that an operation declares for success. */
export interface DeclaredAnswers {
  /** One for each status with JSON. Empty: no answer is declared to be JSON. */
  readonly schemas: readonly AnswerSchema[]
  /** All media types, for the header `accept`; if there is JSON, those of JSON. */
  readonly mediaTypes: readonly string[]
}

/**
 * What an operation answers with the statuses 2xx; with `default` when it names none of them.
 *
 * @throws DocumentProblem when a response cannot be read
 */
export function readAnswers(document: OpenApiDocument, { value, pointer }: OperationEntry): DeclaredAnswers {
  const all = membersOf(value['responses'])
  const successes = all.filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
  const used = successes.length > 0 ? successes : all.filter(([status]) => status === 'default')
  const contents = used.flatMap(([status, given]) => {
    const response = objectIn(document, given, pointerTo(pointer, 'responses', status))
    return mediaContents(response.value['content']).map((content) => {
      const at = pointerTo(response.pointer, 'content', content.mediaType, 'schema')
      return { ...content, kind: contentKind(document, content, at), pointer: at }
    })
  })
  const json = contents.filter(({ kind }) => kind === 'json')
  const asked = json.length > 0 ? json : contents
  return {
    schemas: json.map(({ value: media, pointer: at }) => ({ schema: media['schema'] ?? {}, pointer: at })),
    mediaTypes: [...new Set(asked.map(({ mediaType }) => mediaType))],
  }
}
