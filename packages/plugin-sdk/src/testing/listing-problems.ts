import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { errorOf } from '@junctor/primitives'

const name = /^[A-Za-z0-9_.-]{1,128}$/
const schemaUri = 'https://json-schema.org/draft/2020-12/schema'

/** The problems of listed tools or prompts: names that clients refuse, missing descriptions, unusable schemas. */
export function namedProblems(what: string, items: readonly JsonObject[]): readonly string[] {
  return [
    ...duplicates(what, items, 'name'),
    ...items.flatMap((item) => {
      const label = `${what} ${JSON.stringify(item['name'])}`
      return [
        ...(typeof item['name'] === 'string' && name.test(item['name'])
          ? []
          : [`${label}: expected a name of 1 to 128 of A-Z a-z 0-9 _ - .`]),
        ...(isText(item['description']) ? [] : [`${label}: expected a description, or a model will not know its use`]),
      ]
    }),
  ]
}

/** The problems of the schemas of a tool. */
export function schemaProblems(tool: JsonObject): readonly string[] {
  return (['inputSchema', 'outputSchema'] as const).flatMap((member) => {
    const schema = tool[member]
    if (schema === undefined && member === 'outputSchema') return []
    const problem = schemaProblem(schema)
    return problem === undefined ? [] : [`tool ${JSON.stringify(tool['name'])}: ${member} ${problem}`]
  })
}

/** The problems of listed resources (`uri`) or templates (`uriTemplate`). */
export function resourceProblems(items: readonly JsonObject[], member: 'uri' | 'uriTemplate'): readonly string[] {
  return [
    ...duplicates('resource', items, member),
    ...items.flatMap((item) => {
      const address = item[member]
      const label = `resource ${JSON.stringify(address)}`
      return [
        ...(typeof address === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(address) ? [] : [`${label}: expected a URI`]),
        ...(isText(item['name']) ? [] : [`${label}: expected a name`]),
      ]
    }),
  ]
}

function schemaProblem(schema: unknown): string | undefined {
  if (!isJsonObject(schema) || schema['type'] !== 'object') return 'must be a JSON Schema with type "object"'
  const dialect = schema['$schema']
  if (dialect !== undefined && dialect !== schemaUri) return `must be of ${schemaUri}, got ${JSON.stringify(dialect)}`
  try {
    new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    return undefined
  } catch (error) {
    return `is not a valid JSON Schema: ${errorOf(error).message}`
  }
}

function duplicates(what: string, items: readonly JsonObject[], member: string): readonly string[] {
  const seen = new Set<unknown>()
  const twice = items.map((item) => item[member]).filter((value) => seen.size === seen.add(value).size)
  return twice.map((value) => `${what} ${JSON.stringify(value)}: expected it once in the list`)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
