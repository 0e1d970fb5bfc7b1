import type { JsonObject } from '@junctor/jsonrpc'
import type { output, input } from 'zod'
import { errorOf } from '@junctor/primitives'
import { boundCheck } from './bounded-check.ts'
import { compileJsonSchema } from './json-schema.ts'
import { kindOf } from '../misused.ts'
import type { UncheckedPattern } from './linear-pattern.ts'
import type { CheckedValue } from './schema-problem.ts'
import { compileZodSchema, isZodSchema, zodToJsonSchema, type ZodSchema } from './zod-schema.ts'

/** How an author describes a value: a zod schema, which also gives the value a type, or a JSON Schema (2020-12). */
export type Schema = ZodSchema | JsonObject

/** The type of a value after the check against a schema. */
export type SchemaOutput<S extends Schema> = S extends ZodSchema ? output<S> : JsonObject

/** The type of a value before the check against a schema. */
export type SchemaInput<S extends Schema> = S extends ZodSchema ? input<S> : object

/** A schema, ready to check values and to be sent to clients. */
export interface CompiledSchema<Value> {
  readonly json: JsonObject
  readonly check: (value: unknown) => CheckedValue<Value> | Promise<CheckedValue<Value>>
}

/**
 * Compiles a schema of an object, once.
 *
 * @param what names the schema in the message of an error
 * @param io whether the JSON Schema for clients describes the value before the check (`input`) or after it (`output`);
 *   the two differ where zod has defaults
 * @param unchecked called for each pattern of a JSON Schema that cannot be matched in linear time, which is then not
 *   checked; without it, the schema is refused
 * @throws Error when the schema cannot be compiled, or describes a value that is not an object
 */
export function compileSchema<S extends Schema>(
  schema: S,
  what: string,
  io: 'input' | 'output',
  unchecked?: (pattern: UncheckedPattern) => void,
): CompiledSchema<SchemaOutput<S>> {
  const compiled = compile(schema, what, io, unchecked) as CompiledSchema<SchemaOutput<S>>
  if (compiled.json['type'] !== 'object') {
    throw new Error(`${what} must have type "object", got ${JSON.stringify(compiled.json['type'] ?? compiled.json)}`)
  }
  return compiled
}

/**
 * Compiles a schema of JSON-RPC params, once: an object or an array (JSON-RPC 2.0, section 4.2).
 *
 * @throws Error when the schema cannot be compiled, or describes another kind of value
 */
export function compileParams(schema: Schema, what: string): CompiledSchema<unknown> {
  const compiled = compile(schema, what, 'input')
  const { type } = compiled.json
  if (type === 'object' || type === 'array') return compiled
  throw new Error(`${what} must have type "object" or "array", got ${JSON.stringify(type ?? compiled.json)}`)
}

/**
 * Refuses values that look like a schema but cannot be used. The compilers would accept them as a JSON Schema without
 * any constraint.
 *
 * @throws Error whose message explains what to write instead
 */
function refuseOthers(schema: unknown, what: string): void {
  const wanted = `${what} cannot be used: expected a schema of zod 4 or a JSON Schema`
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new Error(`${wanted}, got ${kindOf(schema)}`)
  }
  if (isOldZod(schema)) throw new Error(`${wanted}, got one of zod 3: import it from "zod" 4, or from "zod/v4" of 3.25`)
  const [member] = Object.entries(schema).find(([, value]) => isZod(value) || isOldZod(value)) ?? []
  if (member !== undefined && !isZod(schema)) {
    throw new Error(`${wanted}, got an object of schemas (${member}, …): write z.object({ ${member}: … })`)
  }
}

function isZod(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isZodSchema(value)
}

function isOldZod(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_def' in value && 'safeParse' in value && !isZodSchema(value)
}

function compile(
  schema: Schema,
  what: string,
  io: 'input' | 'output',
  unchecked?: (pattern: UncheckedPattern) => void,
): CompiledSchema<unknown> {
  refuseOthers(schema, what)
  try {
    const json = isZodSchema(schema) ? zodToJsonSchema(schema, io) : schema
    const check = isZodSchema(schema) ? compileZodSchema(schema) : compileJsonSchema(schema, unchecked)
    return { json, check: boundCheck<CheckedValue<unknown> | Promise<CheckedValue<unknown>>>(json, check) }
  } catch (error) {
    throw new Error(`${what} cannot be used: ${errorOf(error).message}`, {
      cause: error,
    })
  }
}
