import type { JsonObject } from '@junctor/plugin-sdk/link'
import { itemsOf, type OpenApiDocument } from '../document/document.ts'
import { visitObjects } from '../document/visit-objects.ts'
import { partsOf } from './properties-of.ts'

/**
 * The schemas whose `additionalProperties: false` cannot be meant as it is written. The keyword knows only the properties
 * beside it, so an object that inherits by `allOf` and closes itself, or what it inherits, could have none of the others:
 * no value would match. Authors of documents take it for a closed object all the same.
 */
export function openedSchemas(document: OpenApiDocument): ReadonlySet<JsonObject> {
  const opened = new Set<JsonObject>()
  const composed: JsonObject[] = []
  let hasClosed = false
  visitObjects(document.root, (schema) => {
    hasClosed ||= isClosed(schema)
    if (['allOf', 'anyOf', 'oneOf'].some((keyword) => itemsOf(schema[keyword]).length > 0)) composed.push(schema)
  })
  if (!hasClosed) return opened
  for (const schema of composed) for (const one of contradictedIn(document, schema)) opened.add(one)
  return opened
}

/** The closed schemas among one schema and its parts that forbid what the others have. */
function contradictedIn(document: OpenApiDocument, schema: JsonObject): readonly JsonObject[] {
  const partsIn = (keyword: string): readonly (readonly JsonObject[])[] =>
    itemsOf(schema[keyword]).map((one) => partsOf(document, one, ''))
  const inherited = partsIn('allOf')
  const members = [...inherited, ...partsIn('anyOf'), ...partsIn('oneOf')]
  if (!isClosed(schema) && !members.some((parts) => parts.some(isClosed))) return []
  // Another alternative is no part of the same object.
  const common = namesIn([schema, ...inherited.flat()])
  const forbids = (parts: readonly JsonObject[], names: ReadonlySet<string>): boolean => {
    const known = namesIn(parts)
    return [...names].some((name) => !known.has(name))
  }
  const own = forbids([schema], namesIn(members.flat())) ? [schema] : []
  return [...own, ...members.filter((parts) => forbids(parts, common)).flat()].filter(isClosed)
}

function isClosed(schema: JsonObject): boolean {
  return schema['additionalProperties'] === false
}

function namesIn(schemas: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(schemas.flatMap(({ properties }) => Object.keys(properties ?? {})))
}
