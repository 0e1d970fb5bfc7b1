import { type JsonObject, isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, membersOf, type OpenApiDocument } from '../document/document.ts'
import { DocumentProblem } from '../document/document-problem.ts'
import { pointerTo } from '../document/json-pointer.ts'
import { hiddenProperties } from './hidden-properties.ts'
import { partsOf } from './properties-of.ts'
import {
  inPlaceKeywords,
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
  readonly document: OpenApiDocument
  /** Arguments have no members that are `readOnly`, answers none that are `writeOnly`. */
  readonly direction: 'input' | 'output'
  /** Schemas of the document whose `additionalProperties: false` is left out. */
  readonly opened: ReadonlySet<JsonObject>
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
export function convertSchema(
  schema: JsonValue,
  pointer: string,
  conversion: SchemaConversion,
  depth = 0,
  outer: Hidden = new Set(),
): JsonObject {
  if (depth > deepest) throw new DocumentProblem(pointer, `the schema has more than ${deepest} levels`)
  if (schema === false) return { not: {} }
  if (!isJsonObject(schema)) return {}
  const hidden = hiddenIn(schema, pointer, conversion, outer)
  const members = [
    ...keywordsOf(schema, conversion, hidden),
    ...subschemasOf(schema, pointer, conversion, depth, hidden),
  ]
  const reference = referenceOf(schema, pointer, conversion)
  // In 3.0 the keywords beside a reference do not count, except that people do describe it there.
  const beside = reference !== undefined && conversion.document.version === '3.0'
  const kept = beside ? members.filter(([keyword]) => keyword === 'description') : members
  const converted = Object.fromEntries([...kept, ...(reference === undefined ? [] : [['$ref', reference] as const])])
  // Also in 3.1, where it means nothing, and where documents have it nevertheless.
  return schema['nullable'] === true ? orNull(converted) : converted
}

/** The properties that an object has not in the direction of the conversion. */
type Hidden = ReadonlySet<string>

/** Also those that the schemas around it hide, which describe the same object. */
function hiddenIn(
  schema: JsonObject,
  pointer: string,
  { document, direction }: SchemaConversion,
  outer: Hidden,
): Hidden {
  if (['properties', 'required', 'allOf', 'anyOf', 'oneOf'].every((keyword) => schema[keyword] === undefined))
    return outer
  return new Set([
    ...outer,
    ...hiddenProperties(document, schema, pointer, direction === 'input' ? 'readOnly' : 'writeOnly'),
  ])
}

function referenceOf(schema: JsonObject, pointer: string, { reference }: SchemaConversion): string | undefined {
  return typeof schema['$ref'] === 'string' ? reference(schema['$ref'], pointer) : undefined
}

type Member = readonly [string, JsonValue]

function keywordsOf(schema: JsonObject, { document }: SchemaConversion, hidden: Hidden): readonly Member[] {
  const types = typesIn(schema['type'])
  const required = itemsOf(schema['required']).filter((name) => typeof name === 'string')
  const shown = required.filter((name) => !hidden.has(name))
  const values = itemsOf(schema['enum'])
  const [first] = types
  return [
    ...(first === undefined ? [] : [['type', types.length === 1 ? first : types] as const]),
    ...membersOf(schema).filter(([keyword, value]) => isPlain(keyword, value)),
    ...descriptionOf(schema),
    ...(values.length > 0 ? [['enum', values] as const] : []),
    ...(shown.length > 0 ? [['required', [...new Set(shown)]] as const] : []),
    ...(document.version === '3.0' ? boundsOf30(schema) : []),
    ...(isBinary(schema) || schema['format'] === 'byte' ? [['contentEncoding', 'base64'] as const] : []),
  ]
}

/**
 * The description, with what models understand and validators do not: formats that they do not know, and which member
 * chooses among the schemas of a `oneOf`.
 */
function descriptionOf({ description, format, discriminator }: JsonObject): readonly Member[] {
  const texts = [
    ...(typeof description === 'string' ? [description] : []),
    ...(typeof format === 'string' && !isKnownFormat(format) ? [`Format: ${format}`] : []),
    ...(isDiscriminator(discriminator) ? [choiceText(discriminator)] : []),
  ]
  return texts.length === 0 ? [] : [['description', texts.join('\n')]]
}

/** Whether a value chooses among the schemas of a `oneOf` by a member. */
function isDiscriminator(value: JsonValue | undefined): value is JsonObject & { readonly propertyName: string } {
  return isJsonObject(value) && typeof value['propertyName'] === 'string'
}

function choiceText({ propertyName, mapping }: JsonObject & { readonly propertyName: string }): string {
  const values = membersOf(mapping).map(([value]) => JSON.stringify(value))
  return `${propertyName} chooses the schema: ${values.length === 0 ? 'it is its name' : values.join(', ')}`
}

/** Whether a schema stands for bytes outside JSON: `format: binary` in 3.0, a `contentMediaType` in 3.1. */
export function isBinary(schema: JsonObject): boolean {
  const { format, type, contentEncoding, contentMediaType } = schema
  if (format === 'binary') return type === undefined || type === 'string'
  return (
    contentEncoding === undefined &&
    typeof contentMediaType === 'string' &&
    /octet-stream|pdf$|zip$|^(?:image|audio|video)\//.test(contentMediaType)
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
  hidden: Hidden,
): readonly Member[] {
  const convert = (value: JsonValue, keyword: string, ...steps: readonly (string | number)[]): JsonValue => {
    if (typeof value === 'boolean') return value
    const outer = inPlaceKeywords.has(keyword) ? hidden : undefined
    return convertSchema(value, pointerTo(pointer, keyword, ...steps), conversion, depth + 1, outer)
  }
  return membersOf(schema).flatMap(([keyword, value]): readonly Member[] => {
    if (keyword === 'additionalProperties' && value === false && conversion.opened.has(schema)) return []
    if (schemaKeywords.has(keyword) && isSchema(value)) return [[keyword, convert(value, keyword)]]
    if (schemaListKeywords.has(keyword) && Array.isArray(value) && value.length > 0) {
      const schemas = value.map((one, index) => convert(one, keyword, index))
      return [[keyword === 'oneOf' && mayMatchSeveral(schema, value, conversion) ? 'anyOf' : keyword, schemas]]
    }
    if (schemaMapKeywords.has(keyword) && isJsonObject(value)) {
      const members = membersOf(value)
        .filter(([name]) => keyword !== 'properties' || !hidden.has(name))
        .filter(([name]) => keyword !== 'patternProperties' || isPattern(name))
      return [[keyword, Object.fromEntries(members.map(([name, one]) => [name, convert(one, keyword, name)]))]]
    }
    return []
  })
}

/** The discriminator chooses one, also where several would match. Schemas that were opened match more than they say. */
function mayMatchSeveral(
  schema: JsonObject,
  alternatives: readonly JsonValue[],
  { document, opened }: SchemaConversion,
): boolean {
  if (isDiscriminator(schema['discriminator'])) return true
  return opened.size > 0 && alternatives.some((one) => partsOf(document, one, '').some((part) => opened.has(part)))
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
