import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, membersOf } from '../document/document.ts'
import { createCycleFinder, type CycleFinder } from './cycle-finder.ts'
import { inPlaceKeywords, schemaMapKeywords } from './schema-keywords.ts'

/** Definitions that may refer to each other in a cycle. */
export interface DefinitionGraph {
  /** A definition as it was converted. */
  readonly schemaOf: (name: string) => JsonObject
  /** The name of the definition that a reference names. */
  readonly targetOf: (reference: string) => string
  /** The reference to a definition without the schemas that refer back to it. */
  readonly byItself: (name: string) => string
}

/** The cycles of references that apply to one value, and those that go through alternatives alone. */
export interface ReferenceCycles {
  readonly whole: CycleFinder
  readonly ofAlternatives: CycleFinder
}

/** Creates the finders for the definitions of one document. */
export function createReferenceCycles(graph: DefinitionGraph): ReferenceCycles {
  const steps = (name: string): readonly Step[] => stepsIn(graph.schemaOf(name), graph)
  return {
    whole: createCycleFinder((name) => steps(name).map(({ to }) => to)),
    ofAlternatives: createCycleFinder((name) =>
      steps(name).flatMap(({ to, isAlternative }) => (isAlternative ? [to] : [])),
    ),
  }
}

/**
 * A definition without the references that would make a validator recurse for ever on one value. Documents write inheritance
 * as a cycle: a pet is one of cat and dog, and each of them is all of a pet and more. Here a cat is all of the pet by itself.
 * An alternative that leads back through nothing but alternatives is left out.
 *
 * @param isByItself whether the definition is to be without all schemas that refer back to it
 */
export function withoutCycles(
  name: string,
  isByItself: boolean,
  graph: DefinitionGraph,
  cycles: ReferenceCycles,
): JsonObject {
  const cycle = cycles.whole(name)
  if (cycle.size === 0) return graph.schemaOf(name)
  const ofAlternatives = isByItself ? cycle : cycles.ofAlternatives(name)
  function cut({ $ref: reference, ...schema }: JsonObject): JsonObject {
    const members = membersOf(schema).flatMap(([keyword, value]): (readonly [string, JsonValue])[] => {
      if (keyword === 'allOf') return [[keyword, schemasIn(keyword, value).map(cut)]]
      return stepsIn({ [keyword]: value }, graph).some(({ to }) => ofAlternatives.has(to)) ? [] : [[keyword, value]]
    })
    const kept = Object.fromEntries(members)
    if (typeof reference !== 'string') return kept
    const target = graph.targetOf(reference)
    if (!cycle.has(target)) return { ...kept, $ref: reference }
    return isByItself ? kept : { ...kept, $ref: graph.byItself(target) }
  }
  return cut(graph.schemaOf(name))
}

/** A reference that applies to the value of the schema which has it, not to a part of the value. */
interface Step {
  readonly to: string
  /** Whether not all values of the schema must match it. */
  readonly isAlternative: boolean
}

function stepsIn(schema: JsonObject, graph: DefinitionGraph, isAlternative = false): readonly Step[] {
  const further = membersOf(schema)
    .filter(([keyword]) => inPlaceKeywords.has(keyword))
    .flatMap(([keyword, value]) =>
      schemasIn(keyword, value).flatMap((one) => stepsIn(one, graph, isAlternative || keyword !== 'allOf')),
    )
  const { $ref: reference } = schema
  return typeof reference === 'string' ? [{ to: graph.targetOf(reference), isAlternative }, ...further] : further
}

/** The schemas in the value of a keyword: one, a list, or an object of them. */
function schemasIn(keyword: string, value: JsonValue): readonly JsonObject[] {
  const isMap = schemaMapKeywords.has(keyword) && isJsonObject(value)
  const values = isMap ? membersOf(value).map(([, one]) => one) : Array.isArray(value) ? itemsOf(value) : [value]
  return values.filter((one) => isJsonObject(one))
}
