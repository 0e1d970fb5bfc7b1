import type { JsonObject, WireError } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Profile } from '../profile.ts'
import { mcpProfile } from '../profiles/mcp.ts'
import { catalogue, type Situation } from './catalogue.ts'
import { errorColumn, type ErrorView, wireError } from './wire-error.ts'

/**
 * An error that came from behind the gateway, as this peer may see it. What a link or a plugin has said of the gateway's
 * own situations stands in the `mcp` column, as `data.reason` tells; a backend's own error is the profile's to judge.
 * Peers whose columns are not a profile's (2026-07-28, JSON-RPC 3.0) were thought of by whoever made the error.
 */
export function passedOn(error: WireError, view: ErrorView & { readonly profile: Profile }): WireError {
  const column = errorColumn(view)
  if (column !== view.profile.errors || column === mcpProfile.errors) return error
  const data = error.data?.value()
  const situation = isJsonObject(data) ? data['reason'] : undefined
  if (!isJsonObject(data) || !isSituation(situation) || catalogue[situation].codes.mcp !== error.code) {
    return view.profile.passedError(error)
  }
  return asColumnSays(situation, error.message, data, view)
}

/** The same situation in the words of the peer's column, unless its sender had better ones than the catalogue. */
function asColumnSays(situation: Situation, message: string, data: JsonObject, view: ErrorView): WireError {
  const { nameMember } = catalogue[situation]
  const name = nameMember === undefined ? undefined : data[nameMember]
  const named = typeof name === 'string' ? { name } : {}
  const usual = wireError(situation, { ...view, profile: mcpProfile }, named).message
  return wireError(situation, view, { ...named, data, ...(message !== usual && { message }) })
}

function isSituation(reason: unknown): reason is Situation {
  return typeof reason === 'string' && Object.hasOwn(catalogue, reason)
}
