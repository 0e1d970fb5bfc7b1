import { isJsonObject, isRawNumber, type JsonValue, parseExactly, withDoubles } from '@junctor/jsonrpc'

/** The value of typed text according to a schema; or what was expected. */
export type TypedValue =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** `a number`, `a list in JSON`. */
  | { readonly kind: 'bad'; readonly expected: string }

const named: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object in JSON',
  array: 'a list in JSON',
  null: 'null',
}

/**
 * Reads text according to a JSON Schema: as text wherever the schema allows a string, else as JSON of an allowed type.
 * When the schema allows any type: as JSON if the text is valid JSON, else as text. Numbers that JavaScript would change are
 * raw numbers.
 */
export function typedValue(text: string, schema: JsonValue | undefined): TypedValue {
  const types = typesOf(schema)
  const parsed = jsonOf(text)
  if (types === undefined) return { kind: 'value', value: parsed ?? text }
  if (types.includes('string')) return { kind: 'value', value: text }
  if (parsed !== undefined && types.some((type) => isOfType(parsed, type))) return { kind: 'value', value: parsed }
  return { kind: 'bad', expected: [...new Set(types)].map((type) => named[type] ?? type).join(' or ') }
}

/** The types that a schema allows, including those of alternatives and enumerated values. `undefined`: any type. */
export function typesOf(schema: JsonValue | undefined): readonly string[] | undefined {
  if (!isJsonObject(schema)) return undefined
  const { type, anyOf, oneOf, enum: values } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.map(String)
  if (Array.isArray(values)) return values.map(typeOf)
  const branches = Array.isArray(anyOf) ? anyOf : oneOf
  if (!Array.isArray(branches)) return 'const' in schema ? [typeOf(schema['const'] ?? null)] : undefined
  const known = branches.map(typesOf)
  return known.every((types) => types !== undefined) ? known.flat() : undefined
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (isRawNumber(value)) return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}

function isOfType(value: JsonValue, type: string): boolean {
  return type === 'integer' ? Number.isInteger(withDoubles(value)) : typeOf(value) === type
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseExactly(text) as JsonValue
  } catch {
    return undefined
  }
}
