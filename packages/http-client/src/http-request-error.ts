/** Why a request has no usable response. */
export type HttpFailureKind =
  /** The request cannot be made: a URL without http or https or with credentials, or headers that HTTP does not allow. */
  | 'bad_request'
  /** The host, or every address of it, is private or reserved, and the host was not allowed. */
  | 'address_refused'
  /** No connection was made: DNS, TCP or TLS failed. */
  | 'unreachable'
  /** The connection ended before the whole response had arrived. */
  | 'interrupted'
  | 'timed_out'
  /** The caller's signal was aborted. */
  | 'aborted'
  /** The body exceeds the limit. */
  | 'too_large'
  /** The body is not what its content coding says. */
  | 'undecodable'
  /** A redirect that is not followed: too many of them, from https to http, or with a body to another origin. */
  | 'redirect_refused'

/** A request that has no usable response. */
export class HttpRequestError extends Error {
  override readonly name = 'HttpRequestError'
  readonly kind: HttpFailureKind
  /**
   * False: no server has received any part of the request, so that it may be sent again. One that has answered with a redirect
   * has received it.
   */
  readonly sent: boolean

  constructor(kind: HttpFailureKind, message: string, { sent, cause }: { sent: boolean; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.sent = sent
  }

  /** How the way to the server was lost: before it had received anything, or later. Undefined: it was not lost. */
  get loss(): 'unsent' | 'cut' | undefined {
    if (this.kind !== 'unreachable' && this.kind !== 'interrupted') return undefined
    return this.sent ? 'cut' : 'unsent'
  }
}
