import { edit, isJsonObject, type JsonObject, type Payload, rewrite } from '@junctor/jsonrpc'
import { methods } from '../methods.ts'
import type { Revision } from '../revision.ts'
import { hasTitledChoice, withPlainChoices } from './elicitation-form.ts'
import { allows } from './gates.ts'
import { declares } from './declares.ts'
import { needsPlainMessages, plainMessages, singleBlock } from './sampling-messages.ts'

/** The client that a request is sent to. */
export interface AskedClient {
  readonly revision: Revision
  /** The capabilities that the client declared. */
  readonly capabilities: JsonObject
}

/** The capability that allows a client to run a request as its own task. */
const taskCapabilities: ReadonlyMap<string, readonly string[]> = new Map([
  [methods.samplingCreateMessage, ['tasks', 'requests', 'sampling', 'createMessage']],
  [methods.elicitationCreate, ['tasks', 'requests', 'elicitation', 'create']],
])

/**
 * Converts the params of a request that `judgeClientRequest` allowed, for this client. Returns the same payload when no change
 * is necessary.
 */
export function downgradeClientRequest(method: string, params: Payload, client: AskedClient): Payload {
  const value = params.value()
  if (!isJsonObject(value)) return params
  const plain = withoutUndeclared(method, params, value, client)
  const { revision } = client
  if (method === methods.elicitationCreate) {
    const isForeign = !allows(revision, 'elicitationChoices') && hasTitledChoice(value['requestedSchema'])
    return isForeign ? rewrite(plain, withPlainForm) : plain
  }
  if (method === methods.samplingCreateMessage && needsPlainMessages(value, revision)) {
    return rewrite(plain, (copy) => plainMessages(copy as JsonObject, revision))
  }
  return plain
}

/**
 * Converts a client's answer for a backend of an older revision: before 2025-11-25 the content of a sampled message is
 * one block.
 */
export function downgradeAnswer(method: string, result: Payload, revision: Revision): Payload {
  if (method !== methods.samplingCreateMessage || allows(revision, 'samplingContentArrays')) return result
  const value = result.value()
  if (!isJsonObject(value) || !Array.isArray(value['content'])) return result
  return rewrite(result, (copy) => {
    const message = copy as JsonObject
    return { ...message, content: singleBlock(message['content'] as readonly JsonObject[]) }
  })
}

/** Removes optional members that need a capability which the client did not declare. */
function withoutUndeclared(method: string, params: Payload, value: JsonObject, client: AskedClient): Payload {
  const patch: Record<string, undefined> = {}
  const task = taskCapabilities.get(method)
  if (value['task'] !== undefined && task !== undefined && !declares(client.capabilities, task)) {
    patch['task'] = undefined
  }
  // Before 2025-11-25 `includeContext` was part of sampling itself.
  const context = value['includeContext']
  if (
    context !== undefined &&
    context !== 'none' &&
    allows(client.revision, 'samplingTools') &&
    !declares(client.capabilities, ['sampling', 'context'])
  ) {
    patch['includeContext'] = undefined
  }
  return Object.keys(patch).length === 0 ? params : edit(params, patch)
}

function withPlainForm(copy: JsonObject[string]): JsonObject {
  const params = copy as JsonObject
  return { ...params, requestedSchema: withPlainChoices(params['requestedSchema'] as JsonObject) }
}
