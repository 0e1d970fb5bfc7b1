import type { WireError } from '@junctor/jsonrpc'
import type { Situation } from './catalogue.ts'
import { type ErrorView, wireError } from './wire-error.ts'

/** The closed list of local error codes, for logs and for code that decides. They are never sent to a peer. */
export type LocalCode =
  /** The configuration, or an option given in code, is invalid. */
  | 'CONFIG_INVALID'
  /** A port, path or file cannot be opened. */
  | 'LISTEN_FAILED'
  /** Used after `close`, or the other side has closed. */
  | 'CLOSED'
  /** A result did not arrive in time. */
  | 'TIMED_OUT'
  /** A limit on a queue, a size or a count is reached. */
  | 'LIMIT_REACHED'
  /** A connection to an upstream failed, or the upstream could not be started. */
  | 'BACKEND_UNREACHABLE'
  /** An upstream was reached and refused: credentials, version, handshake. */
  | 'BACKEND_REFUSED'
  /** A child process or connection ended without a request to end. */
  | 'BACKEND_EXITED'
  /** The node that owned the resource has left the cluster. A different node may own it now. */
  | 'NODE_LEFT'
  /** A peer sent a message that its protocol does not allow. */
  | 'PROTOCOL_VIOLATED'
  /** Shared storage or the bus does not answer. */
  | 'FABRIC_UNAVAILABLE'
  /** Shared storage has answered that it stores nothing more: it is full, or another of its limits is reached. */
  | 'FABRIC_REFUSED'
  /** A fault in this program. */
  | 'BUG'

/** The situation that a peer receives for a local error. Nothing else of the error is sent. */
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
  FABRIC_REFUSED: 'fabric_unavailable',
  BUG: 'internal_error',
}

/**
 * An error of this program, for its log and its callers. It is never sent to a peer, because its message may hold
 * paths, commands and addresses. `cause` is the underlying error.
 */
export class JunctorError extends Error {
  override readonly name: string = 'JunctorError'
  readonly code: LocalCode

  constructor(code: LocalCode, message: string, options?: ErrorOptions) {
    super(`[${code}] ${message}`, options)
    this.code = code
  }

  /** The message without the code at its beginning, which is only for logs. */
  get problem(): string {
    const prefix = `[${this.code}] `
    return this.message.startsWith(prefix) ? this.message.slice(prefix.length) : this.message
  }
}

/** Returns the situation that a peer receives for any thrown value. Its message and stack are never sent. */
export function situationOf(thrown: unknown): Situation {
  return thrown instanceof JunctorError ? situations[thrown.code] : 'internal_error'
}

/** Returns the wire error for any thrown value: the error of its situation. */
export function wireErrorFrom(thrown: unknown, view: ErrorView): WireError {
  return wireError(situationOf(thrown), view)
}
