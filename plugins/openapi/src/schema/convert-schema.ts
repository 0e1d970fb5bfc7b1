import { type JsonObject, isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, membersOf } from '../document/document.ts'
import { DocumentProblem } from '../document/document-problem.ts'
import { pointerTo } from '../document/json-pointer.ts'
import {
  isKnownFormat,
  isPattern,
  isPlain,
  isSchema,
  schemaKeywords,
  schemaListKeywords,
  schemaMapKeywords,
  typesIn,
} from './schema-keywords.ts'

/** What the conversion of a schema depends on. */
export interface SchemaConversion {
  readonly version: '3.0' | '3.1'
  /** Arguments have no members that are `readOnly`, answers none that are `writeOnly`. */
  readonly direction: 'input' | 'output'
  /**
   * The reference in the tool's schema for a reference of the document.
   *
   * @throws DocumentProblem when it names nothing
   */
  readonly reference: (reference: string, from: string) => string
}

/** Levels of a schema within a schema: more of them are a mistake, or an attack. */
const deepest = 64

/**
 * The schema of a document as JSON Schema 2020-12, the dialect of tools. Keywords of 3.0 are translated (`nullable`,
 * a boolean `exclusiveMinimum`, `format: binary`); values that validators would refuse are left out.
 *
 * @throws DocumentProblem for a broken reference, and for schemas that are nested too deeply
 */
export function convertSchema(schema: JsonValue, pointer: string, conversion: SchemaConversion, depth = 0): JsonObject {
  if (depth > deepest) throw new DocumentProblem(pointer, `the schema has more than ${deepest} levels`)
  if (schema === false) return { not: {} }
  if (!isJsonObject(schema)) return {}
  const members = [...keywordsOf(schema, conversion), ...subschemasOf(schema, pointer, conversion, depth)]
  const reference = referenceOf(schema, pointer, conversion)
  // In 3.0 the keywords beside a reference do not count, except that people do describe it there.
  const beside = reference !== undefined && conversion.version === '3.0'
  const kept = beside ? members.filter(([keyword]) => keyword === 'description') : members
  const converted = Object.fromEntries([...kept, ...(reference === undefined ? [] : [['$ref', reference] as const])])
  // Also in 3.1, where it means nothing, and where documents have it all the same.
  return schema['nullable'] === true ? orNull(converted) : converted
}

function referenceOf(schema: JsonObject, pointer: string, { reference }: SchemaConversion): string | undefined {
  return typeof schema['$ref'] === 'string' ? reference(schema['$ref'], pointer) : undefined
}

type Member = readonly [string, JsonValue]

function keywordsOf(schema: JsonObject, { version, direction }: SchemaConversion): readonly Member[] {
  const types = typesIn(schema['type'])
  const required = itemsOf(schema['required']).filter((name) => typeof name === 'string')
  const hidden = direction === 'input' ? 'readOnly' : 'writeOnly'
  const shown = required.filter((name) => !isMarked(schema, name, hidden))
  const values = itemsOf(schema['enum'])
  const [first] = types
  return [
    ...(first === undefined ? [] : [['type', types.length === 1 ? first : types] as const]),
    ...membersOf(schema).filter(([keyword, value]) => isPlain(keyword, value)),
    ...descriptionOf(schema),
    ...(values.length > 0 ? [['enum', values] as const] : []),
    ...(shown.length > 0 ? [['required', [...new Set(shown)]] as const] : []),
    ...(version === '3.0' ? boundsOf30(schema) : []),
    ...(isBinary(schema) || schema['format'] === 'byte' ? [['contentEncoding', 'base64'] as const] : []),
  ]
}

/** The description, with the format where validators do not know it: models understand it, and validators complain. */
function descriptionOf({ description, format }: JsonObject): readonly Member[] {
  const texts = [
    ...(typeof description === 'string' ? [description] : []),
    ...(typeof format === 'string' && !isKnownFormat(format) ? [`Format: ${format}`] : []),
  ]
  return texts.length === 0 ? [] : [['description', texts.join('\n')]]
}

/** Whether a schema stands for bytes outside JSON: `format: binary` in 3.0, a `contentMediaType` in 3.1. */
export function isBinary(schema: JsonObject): boolean {
  const { format, type, contentEncoding, contentMediaType } = schema
  if (format === 'binary') return type === undefined || type === 'string'
  return (
    contentEncoding === undefined &&
    typeof contentMediaType === 'string' &&
    /octet-stream|^(?:image|audio|video)\//.test(contentMediaType)
  )
}

/** In 3.0 `exclusiveMinimum: true` makes `minimum` exclusive. */
function boundsOf30(schema: JsonObject): readonly Member[] {
  return (
    [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const
  ).flatMap(([exclusive, bound]) => {
    const value = schema[bound]
    return schema[exclusive] === true && typeof value === 'number' ? [[exclusive, value] as const] : []
  })
}

function subschemasOf(
  schema: JsonObject,
  pointer: string,
  conversion: SchemaConversion,
  depth: number,
): readonly Member[] {
  const hidden = conversion.direction === 'input' ? 'readOnly' : 'writeOnly'
  const convert = (value: JsonValue, ...steps: readonly (string | number)[]): JsonValue =>
    typeof value === 'boolean' ? value : convertSchema(value, pointerTo(pointer, ...steps), conversion, depth + 1)
  return membersOf(schema).flatMap(([keyword, value]): readonly Member[] => {
    if (schemaKeywords.has(keyword) && isSchema(value)) return [[keyword, convert(value, keyword)]]
    if (schemaListKeywords.has(keyword) && Array.isArray(value) && value.length > 0) {
      return [[keyword, value.map((one, index) => convert(one, keyword, index))]]
    }
    if (schemaMapKeywords.has(keyword) && isJsonObject(value)) {
      const members = membersOf(value)
        .filter(([name]) => keyword !== 'properties' || !isMarked(schema, name, hidden))
        .filter(([name]) => keyword !== 'patternProperties' || isPattern(name))
      return [[keyword, Object.fromEntries(members.map(([name, one]) => [name, convert(one, keyword, name)]))]]
    }
    return []
  })
}

function isMarked(schema: JsonObject, property: string, mark: 'readOnly' | 'writeOnly'): boolean {
  const { properties } = schema
  if (!isJsonObject(properties) || !Object.hasOwn(properties, property)) return false
  const one = properties[property]
  return isJsonObject(one) && one[mark] === true
}

/** The schema that also accepts null. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema
  const hasOnlyType =
    type !== undefined && ['$ref', 'allOf', 'anyOf', 'oneOf', 'const', 'not'].every((one) => !(one in schema))
  if (!hasOnlyType) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [...new Set([...typesIn(type), 'null'])],
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  }
}
