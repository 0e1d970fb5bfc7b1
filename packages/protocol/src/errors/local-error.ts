import type { WireError } from '@junctor/jsonrpc'
import type { Situation } from './catalogue.ts'
import { type ErrorView, wireError } from './wire-error.ts'

/** The closed list of local error codes: for logs, and for code that decides. They never cross the wire. */
export type LocalCode =
  /** The configuration, or an option given in code, cannot be used. */
  | 'CONFIG_INVALID'
  /** A port, path or file that was to be opened is not to be had. */
  | 'LISTEN_FAILED'
  /** Used after `close`, or the other side closed. */
  | 'CLOSED'
  /** What was waited for did not come in time. */
  | 'TIMED_OUT'
  /** A bound is reached: queue, size, count. */
  | 'LIMIT_REACHED'
  /** An upstream could not be connected to or started. */
  | 'BACKEND_UNREACHABLE'
  /** An upstream was reached and refused: credentials, version, handshake. */
  | 'BACKEND_REFUSED'
  /** A child process or connection ended unasked. */
  | 'BACKEND_EXITED'
  /** Another node, which held what was used, has left the cluster: yet another may hold it. */
  | 'NODE_LEFT'
  /** A peer sent what its protocol does not allow. */
  | 'PROTOCOL_VIOLATED'
  /** Shared storage or the bus does not answer. */
  | 'FABRIC_UNAVAILABLE'
  /** A fault in this program. */
  | 'BUG'

/** The only thing that a peer may learn of a local error. */
const situations: Readonly<Record<LocalCode, Situation>> = {
  CONFIG_INVALID: 'internal_error',
  LISTEN_FAILED: 'internal_error',
  CLOSED: 'backend_exited',
  TIMED_OUT: 'deadline_exceeded',
  LIMIT_REACHED: 'overloaded',
  BACKEND_UNREACHABLE: 'backend_unavailable',
  BACKEND_REFUSED: 'backend_unavailable',
  BACKEND_EXITED: 'backend_exited',
  NODE_LEFT: 'backend_exited',
  PROTOCOL_VIOLATED: 'internal_error',
  FABRIC_UNAVAILABLE: 'fabric_unavailable',
  BUG: 'internal_error',
}

/**
 * An error of this program, for its log and its callers. It never goes onto the wire: its message may hold paths,
 * commands and addresses. `cause` is what was thrown below it.
 */
export class JunctorError extends Error {
  override readonly name: string = 'JunctorError'
  readonly code: LocalCode

  constructor(code: LocalCode, message: string, options?: ErrorOptions) {
    super(`[${code}] ${message}`, options)
    this.code = code
  }
}

/** What a peer may be told about anything that was thrown: a situation of the catalogue, never its message or stack. */
export function situationOf(thrown: unknown): Situation {
  return thrown instanceof JunctorError ? situations[thrown.code] : 'internal_error'
}

/** The same as an error. */
export function wireErrorFrom(thrown: unknown, view: ErrorView): WireError {
  return wireError(situationOf(thrown), view)
}
