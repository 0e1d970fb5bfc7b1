import { type JsonObject, isJsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { itemsOf, objectIn, type OpenApiDocument, targetOf } from '../document/document.ts'
import { DocumentProblem, orProblem } from '../document/document-problem.ts'
import { pointerSteps } from '../document/json-pointer.ts'
import { convertSchema } from './convert-schema.ts'
import { createReferenceCycles, type DefinitionGraph, withoutCycles } from './reference-cycles.ts'
import { typesIn } from './schema-keywords.ts'

interface Definition {
  readonly json: JsonObject
  /** Characters. */
  readonly size: number
  /** The names of the definitions that it refers to. */
  readonly refers: readonly string[]
}

const prefix = '#/$defs/'

/** How many levels of a schema are read to find out whether it accepts objects. */
const deepestLook = 16

/** Converts the schemas of one document, in one direction. Schemas that others refer to are converted once. */
export class Definitions {
  readonly #document: OpenApiDocument
  readonly #direction: 'input' | 'output'
  readonly #opened: ReadonlySet<JsonObject>
  /** The name of each pointer that was referred to, and the pointer of each name. */
  readonly #names = new Map<string, string>()
  readonly #pointers = new Map<string, string>()
  /** The last number in a name, by what was wanted: documents have thousands of references to one name at different places. */
  readonly #numbers = new Map<string, number>()
  /** The names of definitions without the schemas that refer back to them. */
  readonly #byItself = new Set<string>()
  readonly #converted = new Map<string, JsonObject>()
  readonly #known = new Map<string, Definition>()
  /** By the name of a definition: whether no object matches it. */
  readonly #refusing = new Map<string, boolean>()
  readonly #graph: DefinitionGraph = {
    schemaOf: (name) => this.#schemaOf(name),
    targetOf: (reference) => reference.slice(prefix.length),
    byItself: (name) => `${prefix}${this.#nameOf(this.#pointers.get(name) ?? '', true)}`,
  }
  readonly #cycles = createReferenceCycles(this.#graph)
  readonly #problems: DocumentProblem[] = []

  /** @param opened schemas of the document whose `additionalProperties: false` is left out */
  constructor(document: OpenApiDocument, direction: 'input' | 'output', opened: ReadonlySet<JsonObject>) {
    this.#document = document
    this.#direction = direction
    this.#opened = opened
  }

  /** Definitions that could not be converted: they accept any value. */
  get problems(): readonly DocumentProblem[] {
    return this.#problems
  }

  /**
   * A schema without the schemas that it refers to: those are in `$defs` of {@link complete}.
   *
   * @throws DocumentProblem for a broken reference
   */
  convert(schema: JsonValue, pointer: string): JsonObject {
    const reference = (text: string, from: string): string =>
      `${prefix}${this.#nameOf(targetOf(this.#document, text, from).pointer)}`
    return convertSchema(schema, pointer, {
      document: this.#document,
      direction: this.#direction,
      opened: this.#opened,
      reference,
    })
  }

  /**
   * The schema with `$defs` for everything that it refers to, directly or not. When they would be larger than `budget`
   * characters, the ones that are farthest away accept any value.
   */
  complete(schema: JsonObject, budget: number): JsonObject {
    const found = new Map<string, JsonObject>()
    const wanted = new Set(this.#referencesIn(schema))
    let left = budget
    // The loop also visits what is added to the set meanwhile.
    for (const name of wanted) {
      const { json, size, refers } = this.#definition(name)
      left -= size
      found.set(name, left >= 0 ? json : { description: `Any value: the schema of ${name} is left out` })
      if (left >= 0) for (const one of refers) wanted.add(one)
    }
    return found.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(found) }
  }

  /** Whether no object matches a converted schema: it is one of an array, a text, a number. */
  refusesObjects(schema: JsonObject, left: number = deepestLook): boolean {
    const { $ref: reference, anyOf, oneOf, allOf } = schema
    if (left === 0) return false
    if (typeof reference === 'string') {
      const name = reference.slice(prefix.length)
      const refuses = this.#refusing.get(name) ?? this.refusesObjects(this.#definition(name).json, left - 1)
      this.#refusing.set(name, refuses)
      return refuses
    }
    const types = typesIn(schema['type'])
    if (types.length > 0) return !types.includes('object')
    const each = (value: JsonValue): boolean => isJsonObject(value) && this.refusesObjects(value, left - 1)
    const alternatives = [...itemsOf(anyOf), ...itemsOf(oneOf)]
    return itemsOf(allOf).some(each) || (alternatives.length > 0 && alternatives.every(each))
  }

  #nameOf(pointer: string, isByItself = false): string {
    const key = isByItself ? `itself ${pointer}` : pointer
    const before = this.#names.get(key)
    if (before !== undefined) return before
    const last = (pointerSteps(pointer).at(-1) ?? 'root').replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 100)
    const wanted = isByItself ? `${last}_itself` : last
    const name = this.#freeName(wanted)
    this.#names.set(key, name)
    this.#pointers.set(name, pointer)
    if (isByItself) this.#byItself.add(name)
    return name
  }

  #freeName(wanted: string): string {
    let number = this.#numbers.get(wanted) ?? 1
    let name = wanted
    for (; this.#pointers.has(name); number += 1) name = `${wanted}_${number + 1}`
    this.#numbers.set(wanted, number)
    return name
  }

  #definition(name: string): Definition {
    const before = this.#known.get(name)
    if (before !== undefined) return before
    const whole = this.#nameOf(this.#pointers.get(name) ?? '')
    const json = withoutCycles(whole, this.#byItself.has(name), this.#graph, this.#cycles)
    const made = { json, size: JSON.stringify(json).length, refers: this.#referencesIn(json) }
    this.#known.set(name, made)
    return made
  }

  /** A definition as the document has it. */
  #schemaOf(name: string): JsonObject {
    const before = this.#converted.get(name)
    if (before !== undefined) return before
    const converted = orProblem(() => this.#convertTarget(this.#pointers.get(name) ?? ''))
    // What is behind a reference may be broken without harm to the rest.
    if (converted instanceof DocumentProblem) this.#problems.push(converted)
    const json = converted instanceof DocumentProblem ? { description: `Any value: ${converted.message}` } : converted
    this.#converted.set(name, json)
    return json
  }

  #convertTarget(pointer: string): JsonObject {
    const { value } = targetOf(this.#document, `#${pointer}`, pointer)
    // Throws for references in a cycle: a validator would follow them for ever.
    if (isJsonObject(value)) objectIn(this.#document, value, pointer)
    return this.convert(value, pointer)
  }

  /** The names of the definitions that a converted schema refers to. */
  #referencesIn(schema: JsonObject): readonly string[] {
    const matches = JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)
    return [...new Set([...matches].flatMap(([, name = '']) => (this.#pointers.has(name) ? [name] : [])))]
  }
}
