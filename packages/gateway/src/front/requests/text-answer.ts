import type { Refusal } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import { type Dialect, printError, printV3Error, type RequestId, type WireError } from '@junctor/jsonrpc'
import type { Profile, Revision } from '@junctor/protocol'

/** What decides the form of an error. */
export interface ErrorForm {
  /** Undefined before a revision is negotiated. */
  readonly revision: Revision | undefined
  readonly dialect: Dialect
  readonly profile: Profile
}

/** An answer that is one text, like a refusal. */
export interface TextAnswer extends Pick<Refusal, 'text'> {
  /** The HTTP status, if it is decided. */
  readonly status: number | undefined
}

/**
 * An error for a message or stream that is refused.
 *
 * @param stream whether the message was a request for a stream
 */
export function errorAnswer(id: RequestId | undefined, error: WireError, form: ErrorForm, stream = false): TextAnswer {
  const { revision, dialect, profile } = form
  const text = dialect === '3.0' ? printV3Error(id, error, stream) : printError(id, error, profile.nullId(revision))
  return { text, status: error.status }
}

/** Sends the answer, which is the only frame of its response. */
export function sendAnswer(sink: Sink, { text, status }: TextAnswer): Promise<void> | undefined {
  return sink.send(text, true, undefined, status)
}
