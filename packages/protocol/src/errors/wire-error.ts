import { type Dialect, type JsonObject, payloadOf, type WireError } from '@junctor/jsonrpc'
import type { Profile } from '../profile.ts'
import { eraOf, type Revision } from '../revision.ts'
import { catalogue, type Situation } from './catalogue.ts'
import type { ErrorDetails } from './error-details.ts'
import type { ErrorColumn, ErrorRow } from './error-row.ts'

/** Who will read an error: all that decides its code. A renderer's `View` is one. */
export interface ErrorView {
  /** Undefined before one is negotiated. */
  readonly revision: Revision | undefined
  readonly dialect: Dialect
  readonly profile: Pick<Profile, 'errors'>
}

/** Names that peers send may be as long as a message; an error message does not repeat more than this of one. */
const SHOWN_CHARACTERS = 200

/** A 2026-07-28 request gets the modern column, else a JSON-RPC 3.0 peer gets its own, else the profile decides. */
export function errorColumn(view: ErrorView): ErrorColumn {
  if (view.revision !== undefined && eraOf(view.revision) === 'modern') return 'modern'
  return view.dialect === '3.0' ? 'v3' : view.profile.errors
}

/** The error for a situation as this peer is to see it. Errors from backends pass as they are and never come here. */
export function wireError(situation: Situation, view: ErrorView, details: ErrorDetails = {}): WireError {
  const row = catalogue[situation]
  const column = errorColumn(view)
  const bare = view.dialect === '2.0' && (row.bare === true || row.bare?.includes(column) === true)
  const named = row.wording?.[column] ?? row.message
  const error = {
    code: row.codes[column],
    message: (bare ? undefined : details.message) ?? withName(named, details.name),
    status: (column === 'modern' ? row.modernStatus : undefined) ?? row.status,
  }
  const said = view.dialect === '3.0' ? { ...error, title: row.title } : error
  if (bare) return said
  return { ...said, data: payloadOf(errorData(situation, row, details)) }
}

function withName(message: string, name: string | undefined): string {
  if (name === undefined) return message.replace(': {name}', '')
  const shown = name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}...` : name
  return message.replace('{name}', () => shown)
}

function errorData(situation: Situation, row: ErrorRow, details: ErrorDetails): JsonObject {
  return {
    reason: situation,
    retryable: row.retryable,
    ...(details.backend === undefined ? {} : { backend: details.backend }),
    ...(details.name === undefined || row.nameMember === undefined ? {} : { [row.nameMember]: details.name }),
    ...details.data,
  }
}
