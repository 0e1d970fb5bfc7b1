import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'

/** The arguments of a call, or what is wrong with what was typed. */
export type CallArguments =
  | { readonly kind: 'arguments'; readonly value: JsonObject }
  | { readonly kind: 'bad'; readonly message: string }

/**
 * Reads `key=value` words as the tool's schema has them: numbers and booleans as such, objects and lists as JSON, all else
 * as text. `key=@file` is the content of a file, and `key=@@text` is text that begins with `@`.
 *
 * @param base arguments that were given as JSON; words come on top
 * @param read reads a file as text
 */
export function readArguments(
  words: readonly string[],
  schema: unknown,
  base: JsonObject,
  read: (file: string) => string,
): CallArguments {
  const { properties = {}, required = [], additionalProperties } = isJsonObject(schema) ? schema : {}
  const known = isJsonObject(properties) ? properties : {}
  const value: Record<string, JsonValue | undefined> = { ...base }
  for (const word of words) {
    const split = word.indexOf('=')
    if (split < 1) return bad(`expected key=value, got ${JSON.stringify(word)}`)
    const key = word.slice(0, split)
    const given = readText(word.slice(split + 1), read)
    if (given.kind === 'bad') return given
    const typed = readValue(key, given.text, known[key])
    if (typed.kind === 'bad') return typed
    value[key] = typed.value
  }
  const names = Object.keys(known)
  const unknown = Object.keys(value).find((key) => !names.includes(key))
  if (unknown !== undefined && additionalProperties !== true && names.length > 0) {
    return bad(`the tool has no argument ${JSON.stringify(unknown)}; it has ${names.join(', ')}`)
  }
  const missing = (Array.isArray(required) ? required : []).filter((key) => value[String(key)] === undefined)
  if (missing.length > 0)
    return bad(`${missing.length === 1 ? 'an argument is' : 'arguments are'} missing: ${missing.join(', ')}`)
  return { kind: 'arguments', value }
}

type Text = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'bad'; readonly message: string }

function readText(written: string, read: (file: string) => string): Text {
  if (written.startsWith('@@')) return { kind: 'text', text: written.slice(1) }
  if (!written.startsWith('@')) return { kind: 'text', text: written }
  try {
    return { kind: 'text', text: read(written.slice(1)) }
  } catch (error) {
    return bad(
      `expected a file that can be read, got ${written.slice(1)}: ${error instanceof Error ? error.message : ''}`,
    )
  }
}

type Value = { readonly kind: 'value'; readonly value: JsonValue } | { readonly kind: 'bad'; readonly message: string }

function readValue(key: string, text: string, schema: unknown): Value {
  const type = isJsonObject(schema) ? schema['type'] : undefined
  const types = Array.isArray(type) ? type : [type]
  if (types.includes('string') || type === undefined)
    return { kind: 'value', value: type === undefined ? looseValue(text) : text }
  const parsed = jsonOf(text)
  if (parsed !== undefined && types.some((name) => isOfType(parsed, String(name))))
    return { kind: 'value', value: parsed }
  return bad(
    `${key} is ${types.map((name) => named[String(name)] ?? String(name)).join(' or ')}, got ${JSON.stringify(text)}`,
  )
}

/** Of a type that the schema leaves open: JSON if it is any, else text. */
function looseValue(text: string): JsonValue {
  return jsonOf(text) ?? text
}

const named: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object in JSON',
  array: 'a list in JSON',
  null: 'null',
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  return type === 'null' ? value === null : typeof value === type
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

function bad(message: string): { readonly kind: 'bad'; readonly message: string } {
  return { kind: 'bad', message }
}
