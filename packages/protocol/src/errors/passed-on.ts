import type { WireError } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Profile } from '../profile.ts'
import { catalogue, type Situation } from './catalogue.ts'
import { errorColumn, type ErrorView } from './wire-error.ts'

/**
 * An error that came from behind the gateway, as this peer may see it. What a link or a plugin has said of the gateway's
 * own situations stands in the `mcp` column, as `data.reason` tells; a backend's own error is the profile's to judge.
 */
export function passedOn(error: WireError, view: ErrorView & { readonly profile: Profile }): WireError {
  const column = errorColumn(view)
  if (column === 'mcp') return error
  const data = error.data?.value()
  const reason = isJsonObject(data) ? data['reason'] : undefined
  if (typeof reason !== 'string' || !Object.hasOwn(catalogue, reason)) return view.profile.passedError(error)
  const row = catalogue[reason as Situation]
  return row.codes.mcp === error.code ? { ...error, code: row.codes[column] } : view.profile.passedError(error)
}
