import { isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'

type Test = (value: JsonValue) => boolean

const isText: Test = (value) => typeof value === 'string'
const isFlag: Test = (value) => typeof value === 'boolean'
const isNumber: Test = (value) => typeof value === 'number'
const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0
const anything: Test = () => true

/** Formats that validators know (JSON Schema 2020-12, Validation, section 7.3; OpenAPI 3.0, "Data Types"). */
const knownFormats: ReadonlySet<string> = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid json-pointer regex int32 int64 float double password'.split(
    ' ',
  ),
)

/**
 * Keywords whose value is taken over as it is, and the values that validators accept. Keywords that are not listed here
 * or below are left out: those of other vocabularies (`xml`, `x-…`), and those that would have another meaning in the
 * schema of a tool (`$id`, `$schema`).
 */
const plainKeywords: Readonly<Record<string, Test>> = {
  title: isText,
  format: (value) => typeof value === 'string' && knownFormats.has(value),
  contentEncoding: isText,
  contentMediaType: isText,
  default: anything,
  const: anything,
  deprecated: isFlag,
  uniqueItems: isFlag,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  pattern: isPattern,
}

/** Whether validators know a format, or it says how bytes are written, which becomes `contentEncoding`. */
export function isKnownFormat(format: string): boolean {
  return knownFormats.has(format) || format === 'binary' || format === 'byte'
}

/** Whether a keyword and its value are taken over as they are. */
export function isPlain(keyword: string, value: JsonValue): boolean {
  return Object.hasOwn(plainKeywords, keyword) && plainKeywords[keyword]?.(value) === true
}

/** Keywords whose value is a schema. */
export const schemaKeywords: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** Keywords whose value is a list of schemas. */
export const schemaListKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])

/** Those of them whose schemas describe the value itself, not a part of it. */
export const inPlaceKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
])

/** Keywords whose value is an object of schemas. */
export const schemaMapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])

const simpleTypes = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'])

/** The types that a schema names, without those that JSON does not have (`file`, `any`). */
export function typesIn(value: JsonValue | undefined): readonly string[] {
  const given = Array.isArray(value) ? value : [value]
  return [...new Set(given.filter((type) => typeof type === 'string' && simpleTypes.has(type)))] as string[]
}

/** Regular expressions of other languages do not compile here, and validators then refuse the whole schema. */
export function isPattern(value: JsonValue): boolean {
  if (typeof value !== 'string') return false
  try {
    return new RegExp(value, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/** Whether a value can be a schema: an object, `true` or `false`. */
export function isSchema(value: JsonValue | undefined): boolean {
  return isJsonObject(value) || typeof value === 'boolean'
}
