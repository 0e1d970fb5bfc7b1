import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { type Document, isMap, isScalar, parseDocument, type YAMLMap } from 'yaml'
import { asYaml, blankComments, isJsonFile } from '../document/blank-comments.ts'
import { printYaml } from '../document/print-yaml.ts'
import { quoteStrangeSpaces } from '../document/strange-space.ts'

/** A backend to add to the text of a configuration. */
export interface NewBackend {
  readonly name: string
  readonly backend: JsonObject
  /** A line above it, if the file can have comments. */
  readonly comment: string
}

/** A file's text with one more backend, or why there is none. */
export type InsertedBackend =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Adds a backend to the text of a configuration, YAML or JSON. Everything else keeps its place: comments, empty lines,
 * quotes. The result is read again and compared, so that an unusual text is never damaged.
 *
 * @param file whose name says whether the text is JSON, which may have comments of JavaScript
 */
export function insertBackend(text: string, file: string, added: NewBackend): InsertedBackend {
  const isJson = isJsonFile(file)
  const before = parsed(text, file)
  if (before === undefined) return { kind: 'refused', why: 'it cannot be read: correct it first' }
  const value = (before.toJS() ?? {}) as JsonValue
  if (!isJsonObject(value)) return { kind: 'refused', why: 'it is not a mapping' }
  const { backends = {} } = value
  if (backends !== null && !isJsonObject(backends)) return { kind: 'refused', why: '"backends" in it is not a mapping' }
  if (backends !== null && Object.hasOwn(backends, added.name))
    return { kind: 'refused', why: `it has a backend ${added.name} already` }
  const wanted = { ...value, backends: { ...backends, [added.name]: added.backend } }
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const attempts = [
    () => withMember(text, before, added, isJson),
    // Rewrites the document: comments stay, but spaces may change.
    () => (isJson ? undefined : rewritten(before, added)),
  ]
  for (const attempt of attempts) {
    const result = attempt()?.replace(/\r?\n/g, newline)
    const after = result === undefined ? undefined : parsed(result, file)
    if (result !== undefined && after !== undefined && isDeepStrictEqual(after.toJS(), wanted))
      return { kind: 'text', text: result }
  }
  return { kind: 'refused', why: 'its form is too unusual to be edited: add the backend by hand' }
}

function parsed(text: string, file: string): Document | undefined {
  const document = parseDocument(asYaml(text, file), { prettyErrors: false, stringKeys: true })
  return document.errors.length > 0 || document.warnings.length > 0 ? undefined : document
}

/** Writes the new text into the old one, and changes no other character. */
function withMember(
  text: string,
  { contents }: Document,
  { name, backend, comment }: NewBackend,
  isJson: boolean,
): string | undefined {
  const root: unknown = contents
  if (!isMap(root))
    return isJson
      ? undefined
      : `${text.trimEnd()}\n\n${blockText({ backends: { [name]: backend } }, 0, undefined)}`.trimStart()
  const member = root.items.find(({ key }) => isScalar(key) && key.value === 'backends')
  if (member === undefined) return inMap(text, root, { key: 'backends', value: { [name]: backend } }, isJson)
  return isMap(member.value) ? inMap(text, member.value, { key: name, value: backend, comment }, isJson) : undefined
}

/** A member to write into a mapping. */
interface Member {
  readonly key: string
  readonly value: JsonObject
  readonly comment?: string
}

function inMap(text: string, map: YAMLMap, member: Member, isJson: boolean): string | undefined {
  const last = map.items.at(-1)
  const [, end] = map.range ?? []
  if (end === undefined) return undefined
  if (map.flow === true) {
    const close = text.lastIndexOf('}', end - 1)
    const lastEnd = rangeOf(last?.value)?.[1] ?? rangeOf(last?.key)?.[1]
    if (lastEnd === undefined) return undefined
    return inFlow(text, { from: lastEnd, to: close }, member, isJson)
  }
  const first = rangeOf(map.items[0]?.key)?.[0]
  const lastEnd = rangeOf(last?.value)?.[1] ?? rangeOf(last?.key)?.[1]
  if (first === undefined || lastEnd === undefined) return undefined
  const column = first - (text.lastIndexOf('\n', first - 1) + 1)
  // The line of the last value may end in a comment.
  const isAtLineStart = lastEnd > 0 && text[lastEnd - 1] === '\n'
  const lineEnd = isAtLineStart ? lastEnd : text.indexOf('\n', lastEnd) + 1
  const head = lineEnd === 0 ? `${text}\n` : text.slice(0, lineEnd)
  const tail = lineEnd === 0 ? '' : text.slice(lineEnd)
  return `${head}${blockText({ [member.key]: member.value }, column, member.comment)}${tail}`
}

/** The text after the last member of a mapping, up to its closing brace. */
interface Gap {
  readonly from: number
  readonly to: number
}

/** Before the closing brace: on a line of its own where the others are. */
function inFlow(text: string, gap: Gap, { key, value }: Member, isJson: boolean): string {
  const between = text.slice(gap.from, gap.to)
  const comma = blankComments(between).includes(',') ? '' : ','
  const lineStart = text.lastIndexOf('\n', gap.from) + 1
  const [indent = ''] = /^[ \t]*/.exec(text.slice(lineStart)) ?? []
  const isSpread = between.includes('\n')
  const printed =
    isJson && isSpread ? JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`) : JSON.stringify(value)
  const member = `${JSON.stringify(key)}: ${printed}`
  const start = isSpread ? `${comma}${between.trimEnd()}\n${indent}` : `${comma} `
  const rest = isSpread ? between.slice(between.trimEnd().length) : between.replace(/^,/, '')
  const kept = isSpread ? '' : between.startsWith(',') ? ',' : ''
  return `${text.slice(0, gap.from)}${kept}${start}${member}${rest}${text.slice(gap.to)}`
}

function blockText(value: JsonObject, column: number, comment: string | undefined): string {
  const space = ' '.repeat(column)
  const lines = printYaml(value).trimEnd().split('\n')
  const above = comment === undefined ? [] : [`# ${comment}`]
  return [...above, ...lines].map((line) => (line === '' ? '\n' : `${space}${line}\n`)).join('')
}

function rewritten(document: Document, { name, backend, comment }: NewBackend): string | undefined {
  const copy = document.clone()
  if (!isMap(copy.get('backends'))) copy.set('backends', copy.createNode({}))
  const backends = copy.get('backends')
  if (!isMap(backends)) return undefined
  const pair = copy.createPair(name, backend)
  if (backends.items.length === 0) backends.flow = false
  if (isScalar(pair.key)) pair.key.commentBefore = ` ${comment}`
  backends.add(pair)
  quoteStrangeSpaces(copy)
  return copy.toString({ lineWidth: 0 })
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return (node as { readonly range?: readonly [number, number, number] } | null | undefined)?.range
}
