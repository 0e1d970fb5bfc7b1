import { isJsonObject } from '@junctor/jsonrpc'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** What is wrong with the structured content of a tool's result, if anything. A tool's own error needs none. */
export function outputProblem(tool: string, schema: unknown, result: unknown): string | undefined {
  if (!isJsonObject(schema) || !isJsonObject(result) || result['isError'] === true) return undefined
  const { structuredContent } = result
  if (structuredContent === undefined) return `tool ${tool}: expected structuredContent, because it has an outputSchema`
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  if (isFit(ajv, schema, structuredContent)) return undefined
  return `tool ${tool}: expected structuredContent of its outputSchema: ${ajv.errorsText(undefined, { dataVar: 'it' })}`
}

/** A schema that is invalid itself is a problem of the list. */
function isFit(ajv: Ajv2020, schema: object, content: unknown): boolean {
  try {
    return ajv.validate(schema, content)
  } catch {
    return true
  }
}
