import type { JsonObject } from '@junctor/jsonrpc'
import type { ErrorObject } from 'ajv'
import { BudgetExceeded, CheckBudget } from './check-budget.ts'
import { createAjv } from './create-ajv.ts'
import { LinearPatterns, type UncheckedPattern } from './linear-pattern.ts'
import { type CheckedValue, type SchemaProblem, tooCostly } from './schema-problem.ts'

/**
 * Compiles a JSON Schema (2020-12) into a check. The schema and the values may be hostile: a check ends within about a
 * second, and a value that would take longer is refused.
 *
 * @param unchecked called for each pattern that cannot be matched in linear time, which is then not checked; without it,
 *   the schema is refused
 * @throws Error when the schema cannot be compiled: an unknown type, a `$ref` without a target.
 */
export function compileJsonSchema(
  schema: JsonObject,
  unchecked?: (pattern: UncheckedPattern) => void,
): (value: unknown) => CheckedValue<JsonObject> {
  const budget = new CheckBudget()
  const patterns = new LinearPatterns(budget)
  // One instance for each schema, because two schemas may have the same $id.
  const matches = createAjv(patterns, budget).compile<JsonObject>(schema)
  for (const one of patterns.unchecked) {
    if (unchecked === undefined)
      throw new Error(`the pattern ${one.pattern} cannot be matched in linear time: ${one.why}`)
    unchecked(one)
  }
  return (value) => {
    budget.start()
    try {
      if (patterns.run(() => matches(value))) return { kind: 'valid', value: value as JsonObject }
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error
      return { kind: 'invalid', problems: [tooCostly(error.message)] }
    }
    return { kind: 'invalid', problems: (matches.errors ?? []).map(problem) }
  }
}

function problem({ instancePath, message, data, keyword, params }: ErrorObject): SchemaProblem {
  return { path: instancePath, expected: `${message ?? keyword}${detail(keyword, params)}`, got: data }
}

/** The details that ajv's message omits. */
function detail(keyword: string, params: Readonly<Record<string, unknown>>): string {
  if (keyword === 'enum') return `: ${JSON.stringify(params['allowedValues'])}`
  if (keyword === 'const') return `: ${JSON.stringify(params['allowedValue'])}`
  if (keyword === 'additionalProperties') return `: ${JSON.stringify(params['additionalProperty'])}`
  return ''
}
