import type { JsonObject, JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, type Located, objectIn, type OpenApiDocument, textOf } from '../document/document.ts'
import { DocumentProblem } from '../document/document-problem.ts'
import { pointerTo } from '../document/json-pointer.ts'
import { mediaContents, type MediaKind, preferredContent } from './media-type.ts'
import type { OperationEntry } from './operation-entry.ts'

const places = ['path', 'query', 'header', 'cookie'] as const

/** Where a parameter is sent. */
export type ParameterPlace = (typeof places)[number]

/** How a value that is no single text is written (OpenAPI 3.1, "Style Values"). */
const styles = ['matrix', 'label', 'simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const

type ParameterStyle = (typeof styles)[number]

/** How a parameter's value becomes text. */
export type ParameterForm =
  | {
      readonly kind: 'style'
      readonly style: ParameterStyle
      readonly explode: boolean
      /** Whether reserved characters (`/`, `?`) are sent as they are. */
      readonly allowReserved: boolean
    }
  | { readonly kind: 'content'; readonly media: MediaKind }

/** The name of a header (RFC 9110, section 5.6.2). */
const headerName = /^[!#$%&'*+.^_`|~\da-z-]+$/i

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly place: ParameterPlace
  readonly required: boolean
  readonly description: string | undefined
  readonly form: ParameterForm
  readonly schema: JsonValue
  /** The pointer of the schema. */
  readonly pointer: string
}

/**
 * The parameters of an operation; those of its path item first, which it may replace. Optional ones that no request can
 * have, because HTTP forbids their name, are left out.
 *
 * @throws DocumentProblem for a parameter that cannot be read
 */
export function readParameters(document: OpenApiDocument, entry: OperationEntry): readonly Parameter[] {
  const { shared, sharedPointer, value, pointer } = entry
  const found = [
    ...itemsOf(shared.parameters).map((given, index) => ({ given, at: pointerTo(sharedPointer, 'parameters', index) })),
    ...itemsOf(value['parameters']).map((given, index) => ({ given, at: pointerTo(pointer, 'parameters', index) })),
  ].map(({ given, at }) => readParameter(objectIn(document, given, at)))
  const sendable = found.filter(({ place, name }) => place !== 'header' || headerName.test(name))
  const unique = new Map(sendable.map((parameter) => [`${parameter.place} ${parameter.name}`, parameter]))
  return [...unique.values(), ...undeclared(entry, [...unique.values()])]
}

function readParameter({ value, pointer }: Located): Parameter {
  const name = textOf(value['name'])
  const place = places.find((one) => one === value['in'])
  if (name === undefined || place === undefined) {
    throw new DocumentProblem(pointer, 'expected a parameter with "name" and "in" (path, query, header or cookie)')
  }
  if (place === 'header' && value['required'] === true && !headerName.test(name)) {
    throw new DocumentProblem(pointer, `expected the name of a header, got ${JSON.stringify(name)}`)
  }
  const common = {
    name,
    place,
    required: place === 'path' || value['required'] === true,
    description: textOf(value['description']),
  }
  const content = preferredContent(mediaContents(value['content']))
  if (content !== undefined) {
    const schema = content.value['schema'] ?? {}
    const at = pointerTo(pointer, 'content', content.mediaType, 'schema')
    return { ...common, form: { kind: 'content', media: content.kind }, schema, pointer: at }
  }
  const schema = value['schema'] ?? {}
  return { ...common, form: readStyle(value, place), schema, pointer: pointerTo(pointer, 'schema') }
}

/** The style of a parameter, or of a property of a form. */
export function readStyle(value: JsonObject, place: ParameterPlace): Extract<ParameterForm, { kind: 'style' }> {
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  const style = styles.find((one) => one === value['style']) ?? usual
  const { explode, allowReserved } = value
  return {
    kind: 'style',
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
    allowReserved: allowReserved === true,
  }
}

/** Names in the path's template that no parameter declares: documents forget them, and servers need them. */
function undeclared({ path, sharedPointer }: OperationEntry, known: readonly Parameter[]): readonly Parameter[] {
  const declared = new Set(known.filter(({ place }) => place === 'path').map(({ name }) => name))
  return namesInPath(path)
    .filter((name) => !declared.has(name))
    .map((name) => ({
      name,
      place: 'path',
      required: true,
      description: undefined,
      form: { kind: 'style', style: 'simple', explode: false, allowReserved: false },
      schema: { type: 'string' },
      pointer: sharedPointer,
    }))
}

/** The names in the braces of a template, each once. */
function namesInPath(path: string): readonly string[] {
  return [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) => name ?? []))]
}
