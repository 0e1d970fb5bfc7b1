import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'

/** The text of a tool result's first block. */
export function textOf(response: JsonObject): string {
  const { content } = (response['result'] ?? {}) as { content?: readonly { text?: string }[] }
  return content?.[0]?.text ?? ''
}

/** The error of a response. */
export function errorOf(response: JsonObject): { code: number; message: string; data?: JsonObject } {
  return response['error'] as { code: number; message: string; data?: JsonObject }
}

/** The result of a response. Throws when the response is an error. */
export function resultOf(response: JsonObject): JsonObject {
  const { result } = response
  if (!isJsonObject(result)) throw new Error(`Expected a result, got ${JSON.stringify(response)}`)
  return result
}

/** The names of listed tools or prompts. */
export function namesOf(response: JsonObject, kind: 'tools' | 'prompts' | 'resources' = 'tools'): readonly string[] {
  return (resultOf(response)[kind] as unknown as readonly { name: string }[]).map(({ name }) => name)
}
