import type { JsonObject } from '@junctor/jsonrpc'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { CheckedValue, SchemaProblem } from './schema-problem.ts'

/**
 * Compiles a JSON Schema (2020-12) into a check.
 *
 * Formats are annotations, as the dialect specifies. The schema itself is not checked against its meta-schema, which
 * would take twenty times as long as the compilation: `assertWellBehaved` does that in the author's tests.
 *
 * @throws Error when the schema cannot be compiled: an unknown type, a `$ref` without a target.
 */
export function compileJsonSchema(schema: JsonObject): (value: unknown) => CheckedValue<JsonObject> {
  // One instance for each schema, because two schemas may have the same $id.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    validateFormats: false,
    validateSchema: false,
    meta: false,
  })
  const matches = ajv.compile<JsonObject>(schema)
  return (value) => {
    if (matches(value)) return { kind: 'valid', value }
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
