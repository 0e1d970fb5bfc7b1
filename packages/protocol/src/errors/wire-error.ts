import { type Dialect, type JsonObject, payloadOf, type WireError } from '@junctor/jsonrpc'
import type { Profile } from '../profile.ts'
import { eraOf, type Revision } from '../revision.ts'
import { catalogue, type Situation } from './catalogue.ts'
import type { ErrorDetails } from './error-details.ts'
import type { ErrorColumn, ErrorRow } from './error-row.ts'

/** The receiver of an error: all that decides the code. The `View` of a renderer is an `ErrorView`. */
export interface ErrorView {
  /** Undefined before a revision is negotiated. */
  readonly revision: Revision | undefined
  readonly dialect: Dialect
  readonly profile: Pick<Profile, 'errors'>
}

/** The number of characters of a peer's name that an error message repeats. A name may be as long as a message. */
const shownCharacters = 200

/**
 * Chooses the column of codes: `modern` for a 2026-07-28 request, else `v3` for a JSON-RPC 3.0 peer, else the column of
 * the profile.
 */
export function errorColumn(view: ErrorView): ErrorColumn {
  if (view.revision !== undefined && eraOf(view.revision) === 'modern') return 'modern'
  return view.dialect === '3.0' ? 'v3' : view.profile.errors
}

/**
 * Creates the error of a situation for this peer. Errors of backends are passed on unchanged and do not use this
 * function.
 */
export function wireError(situation: Situation, view: ErrorView, details: ErrorDetails = {}): WireError {
  const row = catalogue[situation]
  const column = errorColumn(view)
  const bare = view.dialect === '2.0' && (row.bare === true || row.bare?.includes(column) === true)
  const error = {
    code: row.codes[column],
    message: messageOf(row, column, details, bare),
    status: (column === 'modern' ? row.modernStatus : undefined) ?? row.status,
  }
  const titled = view.dialect === '3.0' ? { ...error, title: row.title } : error
  if (bare) return titled
  const data = row.onlyNames?.includes(column) === true ? nameData(row, details) : errorData(situation, row, details)
  return { ...titled, data: payloadOf(data) }
}

function messageOf(
  { message, wording }: ErrorRow,
  column: ErrorColumn,
  details: ErrorDetails,
  isBare: boolean,
): string {
  const worded = wording?.[column]
  if (isBare || details.message === undefined) return withName(worded ?? message, details.name)
  return worded === undefined || worded.includes('{name}') ? details.message : `${worded}: ${details.message}`
}

function withName(message: string, name: string | undefined): string {
  if (name === undefined) return message.replace(': {name}', '')
  const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}...` : name
  return message.replace('{name}', () => shown)
}

function errorData(situation: Situation, row: ErrorRow, details: ErrorDetails): JsonObject {
  return {
    reason: situation,
    retryable: row.retryable,
    ...(details.backend === undefined ? {} : { backend: details.backend }),
    ...nameData(row, details),
    ...details.data,
  }
}

function nameData({ nameMember }: ErrorRow, { name }: ErrorDetails): JsonObject {
  return name === undefined || nameMember === undefined ? {} : { [nameMember]: name }
}
