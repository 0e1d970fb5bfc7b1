import { type Answer, isJsonObject, member, payloadFromText, printPayload } from '@junctor/jsonrpc'

/** Writes a client's answer to a question as text, for another node. */
export function printAnswer(answer: Answer): string {
  if ('result' in answer) return `{"result":${printPayload(answer.result)}}`
  const { code, message, data } = answer.error
  const more = data === undefined ? '' : `,"data":${printPayload(data)}`
  return `{"error":{"code":${code},"message":${JSON.stringify(message)}${more}}}`
}

/** Reads the text of `printAnswer`. `undefined`: it is not such a text. */
export function readAnswer(text: string): Answer | undefined {
  const payload = payloadFromText(text)
  const result = member(payload, 'result')
  if (result !== undefined) return { result }
  const error = member(payload, 'error')
  const value = error?.value()
  if (error === undefined || !isJsonObject(value)) return undefined
  const { code, message } = value
  if (typeof code !== 'number' || typeof message !== 'string') return undefined
  const data = member(error, 'data')
  return { error: data === undefined ? { code, message } : { code, message, data } }
}
