import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import type { Situation } from '../errors/catalogue.ts'
import { methods } from '../methods.ts'
import type { Revision } from '../revision.ts'
import { elicitationModes } from './capabilities.ts'
import { declares } from './declares.ts'
import { hasMultipleChoice } from './elicitation-form.ts'
import { allows } from './gates.ts'
import { methodGate } from './method-gate.ts'
import { usesTools } from './sampling-messages.ts'

/** Whether a server may send a request to a client; if not, the error that the server receives instead. */
export type ClientRequestVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly situation: Extract<Situation, 'ask_not_supported' | 'ask_mode_not_supported'>
      readonly message: string
      /** The capabilities that the client would have to declare. Absent: no declaration would help. */
      readonly required?: JsonObject
    }

const allowed: ClientRequestVerdict = { ok: true }

/**
 * Judges a request from a server to a client by the client's declared capabilities and its revision. A client never
 * receives a request that it did not declare support for.
 *
 * @param params the value of the request's params
 * @param capabilities the capabilities that the client declared
 */
export function judgeClientRequest(
  method: string,
  params: unknown,
  capabilities: JsonObject,
  revision: Revision,
): ClientRequestVerdict {
  if (method === methods.ping && methodGate(method, 'client', revision) === 'open') return allowed
  const needed = neededCapability(method)
  if (needed === undefined || methodGate(method, 'client', revision) !== 'open') {
    return notSupported(`clients of revision ${revision} know no request ${method}`)
  }
  if (!declares(capabilities, needed)) {
    const message = `${method} needs the client capability ${needed.join('.')}, which was not declared`
    return { ok: false, situation: 'ask_not_supported', message, required: nested(needed) }
  }
  if (!isJsonObject(params)) return allowed
  if (method === methods.elicitationCreate) return judgeElicitation(params, capabilities, revision)
  if (method === methods.samplingCreateMessage) return judgeSampling(params, capabilities, revision)
  return allowed
}

/**
 * Returns the path of the capability that a request to a client needs; undefined for a method that clients do not
 * answer.
 */
function neededCapability(method: string): readonly string[] | undefined {
  switch (method) {
    case methods.samplingCreateMessage:
      return ['sampling']
    case methods.elicitationCreate:
      return ['elicitation']
    case methods.rootsList:
      return ['roots']
    case methods.tasksGet:
    case methods.tasksResult:
      return ['tasks']
    case methods.tasksList:
      return ['tasks', 'list']
    case methods.tasksCancel:
      return ['tasks', 'cancel']
    default:
      return undefined
  }
}

function judgeElicitation(params: JsonObject, capabilities: JsonObject, revision: Revision): ClientRequestVerdict {
  const modes = elicitationModes(capabilities['elicitation'])
  const mode = params['mode'] ?? 'form'
  if (mode === 'url') {
    if (modes.url && allows(revision, 'urlElicitation')) return allowed
    return modeNotSupported('the client did not declare elicitation.url', ['elicitation', 'url'])
  }
  if (mode !== 'form') return modeNotSupported('the mode of an elicitation is "form" or "url"')
  if (!modes.form) return modeNotSupported('the client did not declare elicitation.form', ['elicitation', 'form'])
  if (!allows(revision, 'elicitationChoices') && hasMultipleChoice(params['requestedSchema'])) {
    return modeNotSupported(`clients of revision ${revision} cannot show a choice of several values`)
  }
  return allowed
}

function judgeSampling(params: JsonObject, capabilities: JsonObject, revision: Revision): ClientRequestVerdict {
  if (!usesTools(params)) return allowed
  if (allows(revision, 'samplingTools') && declares(capabilities, ['sampling', 'tools'])) return allowed
  return modeNotSupported('the client did not declare sampling.tools', ['sampling', 'tools'])
}

function notSupported(message: string): ClientRequestVerdict {
  return { ok: false, situation: 'ask_not_supported', message }
}

function modeNotSupported(message: string, needed?: readonly string[]): ClientRequestVerdict {
  const refused = { ok: false, situation: 'ask_mode_not_supported', message } as const
  return needed === undefined ? refused : { ...refused, required: nested(needed) }
}

/** The capability at a path, as a client declares it: `{ sampling: { tools: {} } }`. */
function nested(path: readonly string[]): JsonObject {
  return path.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), {})
}
