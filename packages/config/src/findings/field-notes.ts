import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import * as z from 'zod'
import type { Path } from '../problem.ts'

/** What a schema says about a place in a configuration, for whoever has to correct it. */
export interface FieldNotes {
  /** What may stand there, if the schema has an example. */
  example(path: Path): unknown
  /** The words that a mapping may have there. */
  words(path: Path): readonly string[]
}

/** Reads a schema's notes from its JSON Schema, which looks the same whoever wrote the schema. */
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

/** All that may stand at a path: a union has several branches. */
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
