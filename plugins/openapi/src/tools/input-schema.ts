import type { JsonObject, JsonValue } from '@junctor/plugin-sdk/link'
import { DocumentProblem } from '../document/document-problem.ts'
import type { RequestBody } from '../operations/body.ts'
import type { Definitions } from '../schema/definitions.ts'
import { bodyArgument } from './argument-names.ts'
import type { PlannedParameter } from './operation-plan.ts'

/** Characters of the schemas that the arguments of one tool refer to. Models read them before each conversation. */
const definitionsBudget = 24_000

/** Characters of a whole schema, above which a tool cannot be used by any model. */
const largest = 200_000

/**
 * The schema of a tool's arguments: one for each parameter, and `body`.
 *
 * @throws DocumentProblem for a broken reference, or a schema that is too large
 */
export function inputSchema(
  parameters: readonly PlannedParameter[],
  body: RequestBody | undefined,
  definitions: Definitions,
  pointer: string,
): JsonObject {
  const properties: (readonly [string, JsonValue])[] = parameters.map(({ argument, parameter }) => {
    const schema = definitions.convert(parameter.schema, parameter.pointer)
    return [argument, described(schema, parameter.description)]
  })
  if (body !== undefined) properties.push([bodyArgument, bodySchema(body, definitions)])
  const required = [
    ...parameters.filter(({ parameter }) => parameter.required).map(({ argument }) => argument),
    ...(body?.required === true ? [bodyArgument] : []),
  ]
  const schema = definitions.complete(
    {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    definitionsBudget,
  )
  const size = JSON.stringify(schema).length
  if (size > largest) {
    throw new DocumentProblem(pointer, `its arguments need a schema of ${size} characters; the most is ${largest}`)
  }
  return schema
}

function bodySchema(
  { kind, schema, pointer, description, mediaType }: RequestBody,
  definitions: Definitions,
): JsonObject {
  if (kind === 'binary') {
    const what = description ?? `The body (${mediaType})`
    return { type: 'string', contentEncoding: 'base64', contentMediaType: mediaType, description: `${what}, as base64` }
  }
  if (kind === 'text') return { type: 'string', description: description ?? `The body (${mediaType})` }
  const converted = definitions.convert(schema, pointer)
  const isForm = kind === 'form' || kind === 'multipart'
  return described(isForm ? { type: 'object', ...converted } : converted, description)
}

function described(schema: JsonObject, description: string | undefined): JsonObject {
  return description === undefined || schema['description'] !== undefined ? schema : { ...schema, description }
}
