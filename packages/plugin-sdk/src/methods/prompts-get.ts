import { andThen } from '@junctor/primitives'
import type { Outcome } from '@junctor/exchange'
import { isJsonObject } from '@junctor/jsonrpc'
import { printedPayload } from '../printed-payload.ts'
import type { MethodCall } from './method-handler.ts'

/** `prompts/get`. */
export function getPrompt(call: MethodCall): Outcome | Promise<Outcome> {
  const { name, arguments: input = {} } = call.params
  if (typeof name !== 'string') return call.error('invalid_params', { message: 'Expected the name of a prompt' })
  const prompt = call.catalogue.prompts.get(name)
  if (prompt === undefined) return call.error('unknown_prompt', { name })
  if (!isJsonObject(input)) return call.error('invalid_params', { message: 'Expected arguments to be an object' })
  const fault = prompt.faultIn(input)
  if (fault !== undefined) return call.error('invalid_params', { message: `Prompt ${name}: ${fault}` })
  return andThen(prompt.get(input, call.context), (result) => ({ kind: 'complete', result: printedPayload(result) }))
}
