import { anyArguments, isJsonObject, type JsonObject } from '@junctor/plugin-sdk/link'

/** What a component says about its tool. */
export interface ToolDescription {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
}

/** The description of a tool, or why it cannot be used. */
export type Metadata =
  | { readonly kind: 'tool'; readonly tool: ToolDescription }
  | { readonly kind: 'unusable'; readonly why: string }

/**
 * Reads the answer to `GET /`: name, title, description, version, inputSchema, and what MCP has besides (outputSchema,
 * annotations). Without a schema, a tool takes any object. Other members are ignored.
 */
export function readMetadata(answer: unknown): Metadata {
  if (!isJsonObject(answer)) return unusable('expected an object with the name of a tool')
  const { name, title, description = '', inputSchema = anyArguments, outputSchema, annotations, _meta } = answer
  if (typeof name !== 'string') return unusable('expected "name" to be a string')
  if (typeof description !== 'string') return unusable('expected "description" to be a string')
  if (!isJsonObject(inputSchema)) return unusable('expected "inputSchema" to be a JSON Schema')
  const tool = {
    name,
    ...(typeof title === 'string' && { title }),
    description,
    inputSchema: { ...inputSchema, type: inputSchema['type'] ?? 'object' },
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...(isJsonObject(annotations) && { annotations }),
    ...(isJsonObject(_meta) && { _meta }),
  }
  return { kind: 'tool', tool }
}

function unusable(why: string): Metadata {
  return { kind: 'unusable', why }
}

/** Whether a call may be sent again when it is unknown whether the first one took effect. */
export function isRepeatable({ annotations }: Pick<ToolDescription, 'annotations'>): boolean {
  return annotations?.['readOnlyHint'] === true || annotations?.['idempotentHint'] === true
}
