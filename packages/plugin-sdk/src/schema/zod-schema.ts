import type { JsonObject } from '@junctor/jsonrpc'
import * as z from 'zod'
import { jsonPointer, type CheckedValue, type SchemaProblem } from './schema-problem.ts'

/** Any schema made with zod 4 or zod mini. */
export type ZodSchema = z.core.$ZodType

/** Whether a schema is zod's, and not a JSON Schema object. */
export function isZodSchema(schema: object): schema is ZodSchema {
  return '_zod' in schema
}

/**
 * Compiles a zod schema into a check. The check is synchronous, unless the schema has an asynchronous refinement or
 * transformation: the first value shows that, and later values are checked asynchronously from the start.
 */
export function compileZodSchema<Schema extends ZodSchema>(
  schema: Schema,
): (value: unknown) => CheckedValue<z.output<Schema>> | Promise<CheckedValue<z.output<Schema>>> {
  let asynchronous = false
  return (value) => {
    if (!asynchronous) {
      try {
        return checked(z.safeParse(schema, value), value)
      } catch (error) {
        if (!(error instanceof z.core.$ZodAsyncError)) throw error
        asynchronous = true
      }
    }
    return z.safeParseAsync(schema, value).then((result) => checked(result, value))
  }
}

/**
 * Converts a zod schema to JSON Schema (2020-12), either of the value before the check (`input`: members with defaults
 * are optional) or of the value after it (`output`). `$schema` is left out, because MCP assumes 2020-12.
 *
 * @throws Error when the schema has a type that JSON cannot carry: a date, a map, a function.
 */
export function zodToJsonSchema(schema: ZodSchema, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest as JsonObject
}

function checked<Value>(result: z.ZodSafeParseResult<Value>, input: unknown): CheckedValue<Value> {
  if (result.success) return { kind: 'valid', value: result.data }
  return { kind: 'invalid', problems: result.error.issues.map((issue) => problem(issue, input)) }
}

function problem(issue: z.core.$ZodIssue, input: unknown): SchemaProblem {
  const expected = issue.message.replace(/^Invalid (?:input|option): /, '').replace(/, received \w+$/, '')
  return { path: jsonPointer(issue.path), expected, got: memberAt(input, issue.path) }
}

function memberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    value,
  )
}
