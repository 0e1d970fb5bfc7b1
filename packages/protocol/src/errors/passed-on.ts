import { isJsonObject, type JsonObject, memberOf, type WireError } from '@junctor/jsonrpc'
import type { Profile } from '../profile.ts'
import { mcpProfile } from '../profiles/mcp.ts'
import { catalogue, type Situation } from './catalogue.ts'
import { errorColumn, type ErrorView, wireError } from './wire-error.ts'

/**
 * Converts an error from a backend or another node for this peer. Links and plugins create errors of the gateway's own
 * situations in the `mcp` column; `data.reason` identifies these. The profile converts a backend's own error. For peers of
 * JSON-RPC 3.0, the sender has already chosen the code. Peers of 2026-07-28 get no code that this revision has replaced.
 */
export function passedOn(error: WireError, view: ErrorView & { readonly profile: Profile }): WireError {
  const column = errorColumn(view)
  if (column === 'modern') return passedOnStateless(error, view)
  if (column !== view.profile.errors || column === mcpProfile.errors) return error
  const data = error.data?.value()
  const situation = memberOf(data, 'reason')
  if (!isJsonObject(data) || !isSituation(situation)) return view.profile.passedError(error)
  const { codes } = catalogue[situation]
  if (codes.mcp === error.code) return inColumn(situation, error.message, data, view)
  // The gateway itself has created the error, while the backend was running the call.
  return codes[column] === error.code ? error : view.profile.passedError(error)
}

/**
 * `Resource not found` of older revisions is an error of params now, and the codes that the specification has reserved are no
 * backend's own (2026-07-28, Base Protocol, "Error Codes"): a client would take one for the answer to its own headers or
 * version, and send the call again.
 */
function passedOnStateless(error: WireError, view: ErrorView): WireError {
  const data = error.data?.value()
  const situation = memberOf(data, 'reason')
  if (isJsonObject(data) && isSituation(situation)) {
    const { codes } = catalogue[situation]
    if (codes.mcp === error.code) return inColumn(situation, error.message, data, view)
    if (codes.modern === error.code) return error
  }
  const { unknown_resource, consent_required, capability_missing, internal_error } = catalogue
  const { code } = error
  if (code === unknown_resource.codes.mcp) return { ...error, code: unknown_resource.codes.modern }
  const isReserved = code >= -32_099 && code <= -32_020 && code !== consent_required.codes.mcp
  const isMissing = code === capability_missing.codes.modern && isJsonObject(memberOf(data, 'requiredCapabilities'))
  return isReserved && !isMissing ? { ...error, code: internal_error.codes.modern } : error
}

/**
 * Returns the same situation with the message of the peer's column, unless the sender's message differs from the
 * catalogue's.
 */
function inColumn(situation: Situation, message: string, data: JsonObject, view: ErrorView): WireError {
  const { nameMember } = catalogue[situation]
  const name = nameMember === undefined ? undefined : data[nameMember]
  const named = typeof name === 'string' ? { name } : {}
  const usual = wireError(situation, { ...view, profile: mcpProfile }, named).message
  return wireError(situation, view, { ...named, data, ...(message !== usual && { message }) })
}

function isSituation(reason: unknown): reason is Situation {
  return typeof reason === 'string' && Object.hasOwn(catalogue, reason)
}
