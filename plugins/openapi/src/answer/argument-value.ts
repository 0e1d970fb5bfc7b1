import { isJsonObject, type JsonObject, type JsonValue, memberOf, parseExactly } from '@junctor/plugin-sdk/link'
import { plainText } from '../document/plain-text.ts'
import { itemsOf } from '../document/document.ts'
import type { OperationPlan } from '../tools/operation-plan.ts'
import { typesIn } from '../schema/schema-keywords.ts'

/** Schemas within schemas that are read to find the types of an argument. */
const deepest = 8

/** A text or number of an answer as the value that an argument takes: APIs write the number of a page in a URL. */
export function argumentValue(value: JsonValue, argument: string, { inputSchema }: OperationPlan): JsonValue {
  const types = typesOf(memberOf(inputSchema['properties'], argument), inputSchema['$defs'], deepest)
  const takesNumbers = types.includes('integer') || types.includes('number')
  const takesTexts = types.includes('string')
  if (typeof value !== 'string') return takesTexts && !takesNumbers ? plainText(value) : value
  if (!takesNumbers || takesTexts || !/^-?\d+$/.test(value)) return value
  // JSON has no zeros in front.
  return parseExactly(value.replace(/^(-?)0+(?=\d)/, '$1')) as JsonValue
}

/** The types that a converted schema names, also through references and alternatives. */
function typesOf(schema: JsonValue | undefined, definitions: JsonValue | undefined, left: number): readonly string[] {
  if (!isJsonObject(schema) || left === 0) return []
  const { $ref: reference, type }: JsonObject = schema
  const inside = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => itemsOf(schema[keyword]))
  const target = typeof reference === 'string' ? [memberOf(definitions, reference.replace('#/$defs/', ''))] : []
  return [...typesIn(type), ...[...target, ...inside].flatMap((one) => typesOf(one, definitions, left - 1))]
}
