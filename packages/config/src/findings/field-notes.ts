import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import * as z from 'zod'
import type { Path } from '../problem.ts'

/** Information from a schema about a position in a configuration, for the person who corrects it. */
export interface FieldNotes {
  /** Returns an example of a valid value, if the schema has one. */
  example(path: Path): unknown
  /** Returns the words that a mapping may have at the position. */
  words(path: Path): readonly string[]
  /** Whether the schema marks the value, or one that contains it, as a secret: with `writeOnly`. */
  isSecret(path: Path): boolean
  /** The texts and numbers of a value that the schema marks as secrets. */
  secretsIn(value: unknown): readonly string[]
}

/** Reads a schema's notes from its JSON Schema, whose format does not depend on the author of the schema. */
export function fieldNotes(schema: z.core.$ZodType): FieldNotes {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' }) as JsonObject
  const branchesOf = (path: Path): readonly JsonObject[] => branchesAt(root, path)
  const marksSecret = (path: Path): boolean => branchesOf(path).some((branch) => branch['writeOnly'] === true)

  function secretsAt(value: unknown, path: Path, isBelow: boolean): readonly string[] {
    const isSecret = isBelow || marksSecret(path)
    if (typeof value === 'string' || typeof value === 'number') return isSecret ? [String(value)] : []
    if (typeof value !== 'object' || value === null) return []
    const members: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
      ? value.map((item: unknown, index) => [index, item] as const)
      : Object.entries(value)
    return members.flatMap(([step, member]) => secretsAt(member, [...path, step], isSecret))
  }

  return {
    isSecret: (path) => path.some((_step, index) => marksSecret(path.slice(0, index + 1))),
    secretsIn: (value) => secretsAt(value, [], false),
    example: (path) => {
      const at = branchesOf(path).find((branch) => branch['example'] !== undefined || isList(branch['examples']))
      return at?.['example'] ?? (at?.['examples'] as readonly unknown[] | undefined)?.[0]
    },
    words: (path) => [...new Set(branchesOf(path).flatMap((branch) => Object.keys(branch['properties'] ?? {})))],
  }
}

/** Returns all schemas that apply at a path. A union has several branches. */
function branchesAt(root: JsonObject, path: Path): readonly JsonObject[] {
  return path.reduce<readonly JsonObject[]>(
    (branches, step) => branches.flatMap((branch) => expand(memberOf(branch, step), root)),
    expand(root, root),
  )
}

function memberOf(schema: JsonObject, step: string | number): unknown {
  if (typeof step === 'number') return schema['items']
  const properties = schema['properties']
  const own = isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined
  return own ?? schema['additionalProperties']
}

/** The schema and all that it refers to. One that refers to itself is there once. */
function expand(schema: unknown, root: JsonObject, seen: ReadonlySet<unknown> = new Set()): readonly JsonObject[] {
  if (!isJsonObject(schema) || seen.has(schema)) return []
  const known = new Set([...seen, schema])
  const named = typeof schema['$ref'] === 'string' ? definition(root, schema['$ref']) : undefined
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => {
    const listed = schema[word]
    return isList(listed) ? listed.flatMap((one) => expand(one, root, known)) : []
  })
  return [schema, ...branches, ...expand(named, root, known)]
}

/** A schema that has a name, or that occurs within itself: `#/$defs/name`, or `#` for the whole. */
function definition(root: JsonObject, reference: string): unknown {
  if (reference === '#') return root
  const [, name = ''] = /^#\/\$defs\/(.+)$/.exec(reference) ?? []
  const definitions = root['$defs']
  return isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
