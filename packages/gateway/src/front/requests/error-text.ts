import type { Dialect, RequestId, WireError } from '@junctor/jsonrpc'
import { printError, printV3Error } from '@junctor/jsonrpc'
import type { Profile, Revision } from '@junctor/protocol'

/** What decides the form of an error that answers no request that was read. */
export interface ErrorForm {
  /** Undefined before a revision is negotiated. */
  readonly revision: Revision | undefined
  readonly dialect: Dialect
  readonly profile: Profile
}

/** The text of an error for a message or stream that is refused. */
export function errorText(id: RequestId | undefined, error: WireError, form: ErrorForm): string {
  const { revision, dialect, profile } = form
  return dialect === '3.0' ? printV3Error(id, error, false) : printError(id, error, profile.nullId(revision))
}
