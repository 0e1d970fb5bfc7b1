import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import * as z from 'zod'
import type { Path } from '../problem.ts'

/** Information from a schema about a position in a configuration, for the person who corrects it. */
export interface FieldNotes {
  /** Returns an example of a valid value, if the schema has one. */
  example(path: Path): unknown
  /** Returns the words that a mapping may have at the position. */
  words(path: Path): readonly string[]
}

/** Reads a schema's notes from its JSON Schema, whose format does not depend on the author of the schema. */
export function fieldNotes(schema: z.core.$ZodType): FieldNotes {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' }) as JsonObject
  return {
    example: (path) => {
      const at = branchesAt(root, path).find((branch) => branch['example'] !== undefined || isList(branch['examples']))
      return at?.['example'] ?? (at?.['examples'] as readonly unknown[] | undefined)?.[0]
    },
    words: (path) => [...new Set(branchesAt(root, path).flatMap((branch) => Object.keys(branch['properties'] ?? {})))],
  }
}

/** Returns all schemas that apply at a path. A union has several branches. */
function branchesAt(root: JsonObject, path: Path): readonly JsonObject[] {
  return path.reduce<readonly JsonObject[]>(
    (branches, step) => branches.flatMap((branch) => expand(memberOf(branch, step))),
    expand(root),
  )
}

function memberOf(schema: JsonObject, step: string | number): unknown {
  if (typeof step === 'number') return schema['items']
  const properties = schema['properties']
  const own = isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined
  return own ?? schema['additionalProperties']
}

function expand(schema: unknown): readonly JsonObject[] {
  if (!isJsonObject(schema)) return []
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => {
    const listed = schema[word]
    return isList(listed) ? listed.flatMap(expand) : []
  })
  return [schema, ...branches]
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
