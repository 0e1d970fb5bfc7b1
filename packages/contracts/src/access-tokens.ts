import type { Exchange } from '@junctor/exchange'

/** A server's refusal of a request, because of its token. */
export interface TokenRefusal {
  /** The token that the request had. */
  readonly token: string | undefined
  /** 401: the token is missing or no longer good. 403: it lacks a scope. */
  readonly status: 401 | 403
  /** `WWW-Authenticate`: untrusted. */
  readonly challenge: string | undefined
  /** The call for which the request was sent: {@link AccessTokens.current}. */
  readonly exchange?: Exchange | undefined
}

/** The access tokens with which links of one owner call one server (RFC 6750). */
export interface AccessTokens {
  /**
   * The token for a request. `undefined`: the request is sent without one, and its answer shows what the server wants.
   * Rejects with a JunctorError when a token is needed and there is none.
   *
   * @param exchange the call for which the request is sent. Absent: it is of the link itself
   */
  current(exchange?: Exchange): string | undefined | Promise<string | undefined>
  /**
   * Another token, after the server has refused one. `undefined`: there is no other one. The request is sent again once at
   * most for each status. Rejects as `current` does.
   */
  afterRefusal(refusal: TokenRefusal): Promise<string | undefined>
}
