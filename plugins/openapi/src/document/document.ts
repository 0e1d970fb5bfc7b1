import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { DocumentProblem } from './document-problem.ts'
import { valueAt } from './json-pointer.ts'

/** A document of a version that is understood. References to other files have become references within it. */
export interface OpenApiDocument {
  readonly root: JsonObject
  readonly version: '3.0' | '3.1'
  /** Why references to other files could not be followed, by the reference. */
  readonly unread: ReadonlyMap<string, string>
}

/** An object of a document, and where it is. */
export interface Located {
  readonly value: JsonObject
  readonly pointer: string
}

/** A longer chain of references to references is taken for a cycle. */
const longestChain = 32

/**
 * The object at a place, after its references.
 *
 * @throws DocumentProblem when there is no object: a broken or circular reference, `null`, a text
 */
export function objectIn(document: OpenApiDocument, given: JsonValue | undefined, pointer: string): Located {
  let at = { value: given, pointer }
  for (let left = longestChain; left > 0; left -= 1) {
    const { value } = at
    if (!isJsonObject(value)) throw new DocumentProblem(pointer, `expected an object and got ${kindOf(value)}`)
    const reference = value['$ref']
    if (typeof reference !== 'string') return { value, pointer: at.pointer }
    at = targetOf(document, reference, pointer)
  }
  throw new DocumentProblem(pointer, 'the references lead in a circle')
}

/**
 * The value that a reference names.
 *
 * @throws DocumentProblem when there is none
 */
export function targetOf(
  { root, unread }: OpenApiDocument,
  reference: string,
  from: string,
): { readonly value: JsonValue; readonly pointer: string } {
  const why = unread.get(reference)
  if (why !== undefined) throw new DocumentProblem(from, `the reference ${reference} cannot be followed: ${why}`)
  const pointer = reference.slice(1)
  const value = reference === '#' || reference.startsWith('#/') ? valueAt(root, pointer) : undefined
  if (value === undefined) throw new DocumentProblem(from, `the reference ${reference} names nothing`)
  return { value, pointer }
}

/** The members of an object; none when the value is something else. */
export function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const]))
}

/** The items of a list; none when the value is something else. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** A text; `undefined` when the value is something else, or empty. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** What a value is, in a message. */
export function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : JSON.stringify(value).slice(0, 60)
}
