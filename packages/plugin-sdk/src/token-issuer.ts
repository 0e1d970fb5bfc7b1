import type { JsonObject } from '@junctor/jsonrpc'

/** An authorization server in this gateway. */
export interface TokenIssuer {
  /** The name of the issuer (RFC 8414 section 2), which is the URL that its metadata are found with. */
  readonly issuer: string
  /**
   * What is known of a token, as RFC 7662 section 2.2 has it: `active`, `sub`, `aud`, `scope`, `exp`, `client_id`, `cnf`, and
   * the claims that make its bearer a member of tenants. It is asked often, and at every node.
   */
  readonly introspect: (token: string) => Promise<JsonObject>
}
