import type { Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonValue, memberOf } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { Call } from './call.ts'
import { failed } from './failed.ts'

/** The outcome of a call, for profiles in which a tool that fails is an error: its text becomes the message. */
export function failedResult(call: Call, outcome: Outcome): Outcome {
  if (outcome.kind !== 'complete' || call.request.method !== methods.toolsCall) return outcome
  const result = outcome.result.value()
  if (!isJsonObject(result) || result['isError'] !== true) return outcome
  const message = textIn(result['content'])
  const { tool } = call
  return failed(call, 'tool_failed', {
    ...(tool !== undefined && { name: tool }),
    ...(message !== '' && { message }),
  })
}

/** The text blocks of content, one after the other. */
function textIn(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return ''
  const texts = content.map((block: JsonValue) => memberOf(block, 'text'))
  return texts.filter((text) => typeof text === 'string').join('\n')
}
