import {
  exactly,
  isJsonObject,
  isRawNumber,
  isSameNumber,
  type JsonValue,
  memberOf,
  type Payload,
} from '@junctor/jsonrpc'
import { headers } from '../headers.ts'
import { decodeHeaderText, encodeHeaderText } from './header-text.ts'

/** An argument that a tool wants in a header too (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"). */
export interface ParameterHeader {
  /** The header's name in lower case: `mcp-param-region`. */
  readonly header: string
  /** The names of the members that lead to the argument. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

/** The headers that the input schema of a tool asks for. `invalid`: a client must not use such a tool. */
export type ParameterHeaders =
  | { readonly kind: 'headers'; readonly headers: readonly ParameterHeader[] }
  | { readonly kind: 'invalid'; readonly why: string }

const keyword = 'x-mcp-header'

/** `1*tchar` (RFC 9110, section 5.1). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Members of a schema that are data, in which the keyword has no meaning. */
const data: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples'])

/** A number in a header. JavaScript takes more texts for one: blanks for 0, and `0x10`. */
const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The deepest schema that is searched. */
const deepest = 64

const noHeaders: ParameterHeaders = { kind: 'headers', headers: [] }

/** Reads which arguments an input schema wants in headers. */
export function readParameterHeaders(inputSchema: JsonValue | undefined): ParameterHeaders {
  const found: ParameterHeader[] = []
  const why = inputSchema === undefined ? undefined : search(inputSchema, [], true, 0, found)
  if (why !== undefined) return { kind: 'invalid', why }
  if (found.length === 0) return noHeaders
  const names = new Set(found.map(({ header }) => header))
  return names.size === found.length
    ? { kind: 'headers', headers: found }
    : { kind: 'invalid', why: `two parameters have the same ${keyword}` }
}

/** Adds what it finds. Returns what is wrong; undefined: nothing. */
function search(
  schema: JsonValue,
  path: readonly string[],
  isReachable: boolean,
  depth: number,
  found: ParameterHeader[],
): string | undefined {
  if (depth > deepest) return undefined
  if (Array.isArray(schema)) return firstProblem(schema, (item) => search(item, path, false, depth + 1, found))
  if (!isJsonObject(schema)) return undefined
  const name = schema[keyword]
  const problem = name === undefined ? undefined : note(name, schema['type'], path, isReachable, found)
  if (problem !== undefined) return problem
  return firstProblem(Object.entries(schema), ([key, value]) => {
    if (value === undefined || data.has(key)) return undefined
    if (key !== 'properties' || !isJsonObject(value)) return search(value, path, false, depth + 1, found)
    return firstProblem(Object.entries(value), ([member, property]) =>
      property === undefined ? undefined : search(property, [...path, member], isReachable, depth + 1, found),
    )
  })
}

function note(
  name: JsonValue,
  type: JsonValue | undefined,
  path: readonly string[],
  isReachable: boolean,
  found: ParameterHeader[],
): string | undefined {
  if (typeof name !== 'string' || !token.test(name)) return `${keyword} must be the name of a header`
  if (!isReachable || path.length === 0) return `${keyword} "${name}" is not at a property of the arguments`
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    return `${keyword} "${name}" is not at a string, an integer or a boolean`
  }
  found.push({ header: `${headers.parameterPrefix}${name.toLowerCase()}`, path, type })
  return undefined
}

function firstProblem<Item>(items: readonly Item[], judge: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = judge(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Returns the headers for the arguments of a call, by name. Arguments that are missing or null have none. */
export function parameterHeaderValues(
  wanted: readonly ParameterHeader[],
  params: Payload | undefined,
): Readonly<Record<string, string>> {
  const args = argumentsOf(params)
  const values = wanted.flatMap(({ header, path }) => {
    const text = textAt(args, path)
    return text === undefined ? [] : [[header, encodeHeaderText(text)] as const]
  })
  return Object.fromEntries(values)
}

/**
 * Judges the headers of a call by its arguments.
 *
 * @param header returns a header by its lower-case name
 * @returns what is wrong. Undefined: nothing is
 */
export function judgeParameterHeaders(
  wanted: readonly ParameterHeader[],
  params: Payload | undefined,
  header: (name: string) => string | undefined,
): string | undefined {
  const args = argumentsOf(params)
  return firstProblem(wanted, ({ header: name, path, type }) => {
    const expected = textAt(args, path)
    const value = header(name)
    if (value === undefined) return expected === undefined ? undefined : `Expected the header ${name}, got none`
    const read = decodeHeaderText(value)
    if (read.kind === 'invalid') return `The header ${name} has a value that cannot be decoded`
    if (expected === undefined) return `The header ${name} repeats an argument that is not there`
    const isEqual =
      read.text === expected || (type === 'integer' && decimal.test(read.text) && isSameNumber(read.text, expected))
    return isEqual ? undefined : `The header ${name} differs from the argument`
  })
}

/** The arguments of a call. All digits of a number count, also those that JavaScript would change. */
function argumentsOf(params: Payload | undefined): JsonValue | undefined {
  return params === undefined ? undefined : memberOf(exactly(params), 'arguments')
}

/** An argument as the text of a header; undefined when it is missing, or not of a type that headers have. */
function textAt(args: JsonValue | undefined, path: readonly string[]): string | undefined {
  let at: JsonValue | undefined = args
  for (const member of path) at = memberOf(at, member)
  if (typeof at === 'string') return at
  if (isRawNumber(at)) return JSON.stringify(at)
  return typeof at === 'number' || typeof at === 'boolean' ? String(at) : undefined
}
