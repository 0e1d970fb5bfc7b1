import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { errorOf } from '@junctor/primitives'
import { typedValue } from './typed-value.ts'

/** The arguments of a call, or what is wrong with the typed words. */
export type CallArguments =
  | { readonly kind: 'arguments'; readonly value: JsonObject }
  | { readonly kind: 'bad'; readonly message: string }

/**
 * Reads `key=value` words according to the tool's schema: numbers and booleans as such, objects and lists as JSON, and
 * everything else as text. `key=@file` is the content of a file, and `key=@@text` is text that begins with `@`.
 *
 * @param base arguments that were given as JSON; words override them
 * @param read reads a file as text
 */
export function readArguments(
  words: readonly string[],
  schema: JsonValue | undefined,
  base: JsonObject,
  read: (file: string) => string,
): CallArguments {
  const { properties, required } = isJsonObject(schema) ? schema : {}
  const known = isJsonObject(properties) ? properties : {}
  const value: Record<string, JsonValue | undefined> = { ...base }
  const given = new Set<string>()
  for (const word of words) {
    const split = word.indexOf('=')
    if (split < 1) return bad(`expected key=value, got ${JSON.stringify(word)}`)
    const key = word.slice(0, split)
    if (given.has(key)) return bad(`expected each argument once, got ${JSON.stringify(key)} twice`)
    given.add(key)
    const content = readText(word.slice(split + 1), read)
    if (content.kind === 'bad') return content
    const typed = typedValue(content.text, known[key])
    if (typed.kind === 'bad') return bad(`${key} is ${typed.expected}, got ${JSON.stringify(content.text)}`)
    value[key] = typed.value
  }
  const names = Object.keys(known)
  const unknown = Object.keys(value).find((key) => !names.includes(key))
  // Few schemas that do not forbid more arguments want them, and no server would report the typing error.
  if (unknown !== undefined && !mayHaveMore(schema) && names.length > 0) {
    return bad(`the tool has no argument ${JSON.stringify(unknown)}; it has ${names.join(', ')}`)
  }
  const missing = (Array.isArray(required) ? required.map(String) : []).filter((key) => value[key] === undefined)
  if (missing.length === 0) return { kind: 'arguments', value }
  return bad(`${missing.length === 1 ? 'an argument is' : 'arguments are'} missing: ${missing.join(', ')}`)
}

/** The members of a schema that can describe arguments beside `properties`. */
const otherPlaces = ['allOf', 'anyOf', 'oneOf', '$ref', '$dynamicRef', 'if', 'dependentSchemas', 'dependencies']

function mayHaveMore(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return true
  const { additionalProperties: additional, patternProperties } = schema
  if (additional === true || isJsonObject(additional) || isJsonObject(patternProperties)) return true
  return additional !== false && otherPlaces.some((place) => schema[place] !== undefined)
}

type Text = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'bad'; readonly message: string }

function readText(written: string, read: (file: string) => string): Text {
  if (written.startsWith('@@')) return { kind: 'text', text: written.slice(1) }
  if (!written.startsWith('@')) return { kind: 'text', text: written }
  try {
    return { kind: 'text', text: read(written.slice(1)) }
  } catch (error) {
    const reason = errorOf(error).message
    return bad(`expected a file that can be read, got ${written.slice(1)}: ${reason}`)
  }
}

function bad(message: string): { readonly kind: 'bad'; readonly message: string } {
  return { kind: 'bad', message }
}
