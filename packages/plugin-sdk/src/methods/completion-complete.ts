import { andThen } from '@junctor/primitives'
import type { Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonObject, memberOf } from '@junctor/jsonrpc'
import { findResource } from '../catalogue.ts'
import { toCompleteResult, type Complete } from '../completion.ts'
import { printedPayload } from '../printed-payload.ts'
import { invalidAnswer } from '../misused.ts'
import type { MethodCall } from './method-handler.ts'

/** `completion/complete`. An argument without proposals gets an empty list; only an unknown reference is an error. */
export function complete(call: MethodCall): Outcome | Promise<Outcome> {
  const { ref, argument, context } = call.params
  const name = memberOf(argument, 'name')
  if (!isJsonObject(argument) || typeof name !== 'string' || typeof argument['value'] !== 'string') {
    return call.error('invalid_params', { message: 'Expected an argument with a name and a value' })
  }
  const completers = isJsonObject(ref) ? completersOf(ref, call) : undefined
  if (completers === undefined) {
    return call.error('invalid_params', {
      message: `Expected a reference to a prompt or resource that exists, got ${JSON.stringify(ref)}`,
    })
  }
  const completer = completers.get(name)
  const values = completer?.(argument['value'], chosenIn(context), call.context) ?? []
  return andThen(values, (found) => {
    // Authors without types return anything.
    const wrong = Array.isArray(found) ? found.findIndex((value) => typeof value !== 'string') : undefined
    if (wrong !== -1) {
      const got: unknown = wrong === undefined ? found : found[wrong]
      throw invalidAnswer(`completions of ${name}`, 'a list of texts', got)
    }
    return { kind: 'complete', result: printedPayload(toCompleteResult(found)) }
  })
}

/** The `complete` functions of the referenced prompt or resource, by argument; `undefined` when it does not exist. */
function completersOf(
  ref: JsonObject,
  { catalogue }: MethodCall,
): ReadonlyMap<string, Complete | undefined> | undefined {
  const { type, name, uri } = ref
  if (type === 'ref/prompt' && typeof name === 'string') {
    const prompt = catalogue.prompts.get(name)
    return prompt && new Map(Object.entries(prompt.arguments).map(([key, value]) => [key, value.complete]))
  }
  if (type === 'ref/resource' && typeof uri === 'string') {
    const template = catalogue.templates.find(({ address }) => address === uri)
    const resource = template ?? findResource(catalogue, uri)?.resource
    return resource && new Map(Object.entries(resource.complete))
  }
  return undefined
}

function chosenIn(context: unknown): Readonly<Record<string, string>> {
  const chosen = memberOf(context, 'arguments')
  if (!isJsonObject(chosen)) return {}
  return Object.fromEntries(
    Object.entries(chosen).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
