import type { ErrorDetails } from '@junctor/protocol'
import { matchesPattern } from './matches-pattern.ts'

/** The scopes that tools need, and where callers get tokens with them. */
export interface ToolScopes {
  /** Patterns are those of a `NamePolicy`. Every pattern that matches a tool applies. */
  readonly needed: readonly { readonly pattern: string; readonly scopes: readonly string[] }[]
  /** The scopes of every token. A client that asks for a better token must ask for these too. */
  readonly always: readonly string[]
  /** The metadata of the endpoint as a protected resource (RFC 9728). Undefined: its public URL is not known. */
  readonly metadataUrl: string | undefined
}

/**
 * The details of the error for a call that a token has too few scopes for (Authorization, "Scope Challenge Handling").
 * `undefined`: it has all that the tool needs.
 *
 * @param tool `backend:tool`
 * @param granted the scopes of the token
 */
export function lackingScopes(
  { needed, always, metadataUrl }: ToolScopes,
  tool: string,
  granted: readonly string[],
): ErrorDetails | undefined {
  let missing: Set<string> | undefined
  // Each call comes here: no lists are made unless something is missing.
  for (const { pattern, scopes } of needed) {
    if (scopes.every((scope) => granted.includes(scope)) || !matchesPattern(pattern, tool)) continue
    missing ??= new Set()
    for (const scope of scopes) if (!granted.includes(scope)) missing.add(scope)
  }
  return missing && insufficientScope([...missing], { always, metadataUrl }, granted)
}

function insufficientScope(
  missing: readonly string[],
  { always, metadataUrl }: Pick<ToolScopes, 'always' | 'metadataUrl'>,
  granted: readonly string[],
): ErrorDetails {
  return {
    message: `This tool needs a token with the scope ${missing.join(' and ')}`,
    data: {
      reason: 'insufficient_scope',
      // A client asks for exactly these: those that it has must be among them, or it would lose them.
      scope: [...new Set([...always, ...granted, ...missing])].join(' '),
      ...(metadataUrl !== undefined && { resource_metadata: metadataUrl }),
    },
  }
}
