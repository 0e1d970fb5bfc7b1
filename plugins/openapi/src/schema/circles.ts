import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, membersOf } from '../document/document.ts'
import { inPlaceKeywords, schemaMapKeywords } from './schema-keywords.ts'

/** The definitions among which there may be circles. */
export interface Circles {
  /** A definition as it was converted. */
  readonly schemaOf: (name: string) => JsonObject
  /** The name of the definition that a reference names. */
  readonly targetOf: (reference: string) => string
  /** The reference to a definition without all that leads back to it. */
  readonly byItself: (name: string) => string
}

/**
 * A definition that a validator can follow to its end. Documents write inheritance as a circle: a pet is one of cat and
 * dog, and each of them is all of a pet and more. A validator never leaves it. Here a cat is all of what a pet is by
 * itself. Alternatives that lead back by nothing but alternatives are left out.
 *
 * @param isByItself whether the definition is to be without all that leads back to it
 */
export function withoutCircles(name: string, isByItself: boolean, circles: Circles): JsonObject {
  const circle = circleOf(name, circles)
  if (circle.size === 0) return circles.schemaOf(name)
  const ofAlternatives = isByItself ? circle : circleOf(name, circles, true)
  function cut({ $ref: reference, ...schema }: JsonObject): JsonObject {
    const members = membersOf(schema).flatMap(([keyword, value]): (readonly [string, JsonValue])[] => {
      if (keyword === 'allOf') return [[keyword, schemasIn(keyword, value).map(cut)]]
      return stepsIn({ [keyword]: value }, circles).some(({ to }) => ofAlternatives.has(to)) ? [] : [[keyword, value]]
    })
    const kept = Object.fromEntries(members)
    if (typeof reference !== 'string') return kept
    const target = circles.targetOf(reference)
    if (!circle.has(target)) return { ...kept, $ref: reference }
    return isByItself ? kept : { ...kept, $ref: circles.byItself(target) }
  }
  return cut(circles.schemaOf(name))
}

/** A reference that applies to the value of the schema which has it, not to a part of the value. */
interface Step {
  readonly to: string
  /** Whether not all values of the schema must match it. */
  readonly isAlternative: boolean
}

/** The definitions from which steps lead to this one, and to which steps lead from it. */
function circleOf(name: string, circles: Circles, onlyAlternatives = false): ReadonlySet<string> {
  const before = new Map<string, string[]>()
  const after = new Set([name])
  // What is added to a set is visited, too.
  for (const from of after) {
    for (const { to, isAlternative } of stepsIn(circles.schemaOf(from), circles)) {
      if (onlyAlternatives && !isAlternative) continue
      if (before.get(to)?.push(from) === undefined) before.set(to, [from])
      after.add(to)
    }
  }
  const circle = new Set(before.get(name))
  for (const one of circle) for (const from of before.get(one) ?? []) circle.add(from)
  return circle
}

function stepsIn(schema: JsonObject, circles: Circles, isAlternative = false): readonly Step[] {
  const further = membersOf(schema)
    .filter(([keyword]) => inPlaceKeywords.has(keyword))
    .flatMap(([keyword, value]) =>
      schemasIn(keyword, value).flatMap((one) => stepsIn(one, circles, isAlternative || keyword !== 'allOf')),
    )
  const { $ref: reference } = schema
  return typeof reference === 'string' ? [{ to: circles.targetOf(reference), isAlternative }, ...further] : further
}

/** The schemas in the value of a keyword: one, a list, or an object of them. */
function schemasIn(keyword: string, value: JsonValue): readonly JsonObject[] {
  const isMap = schemaMapKeywords.has(keyword) && isJsonObject(value)
  const values = isMap ? membersOf(value).map(([, one]) => one) : Array.isArray(value) ? itemsOf(value) : [value]
  return values.filter((one) => isJsonObject(one))
}
