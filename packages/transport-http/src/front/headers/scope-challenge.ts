import { bearerChallenge, headers as names } from '@junctor/protocol'
import type { ResponseHeaders } from './cors.ts'

/** RFC 6749 section 3.3: words of printable characters, without quotes and backslashes. */
const scopes = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

/**
 * The challenge for a caller whose token has too few scopes, from the error that it gets (Authorization, "Scope Challenge
 * Handling"). `undefined`: the error is another one.
 *
 * @param data of the error
 */
export function scopeChallenge(data: Readonly<Record<string, unknown>>): ResponseHeaders | undefined {
  const { reason, scope, resource_metadata: metadata } = data
  if (reason !== 'insufficient_scope' || typeof scope !== 'string' || !scopes.test(scope)) return undefined
  const isUrl = typeof metadata === 'string' && URL.canParse(metadata) && !/["\\\s]/.test(metadata)
  return {
    [names.wwwAuthenticate]: bearerChallenge({
      error: 'insufficient_scope',
      error_description: 'The token lacks a scope that is required here',
      scope,
      ...(isUrl && { resource_metadata: metadata }),
    }),
  }
}
