import type { AccessTokens, Client, Link, Scope } from '@junctor/plugin-sdk/link'

/** Opens a link to the server with these tokens. */
export type OpenWithTokens = (
  tokens: AccessTokens,
  owner: { readonly scope: Scope; readonly client: Client },
  signal: AbortSignal,
) => Promise<Link>
