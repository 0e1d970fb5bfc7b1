import { textWithoutNulls } from '@junctor/credentials'
import { createHttpClient } from '@junctor/plugin-sdk/http'
import { createRemoteJWKSet, customFetch, decodeJwt, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { AuthServerConfig } from '../config.ts'
import { longestSeconds } from './judge-assertion.ts'

/** The claims of an assertion with a valid signature, and the name of its issuer in the configuration. */
interface VerifiedAssertion {
  readonly issuer: string
  readonly claims: JWTPayload
}

/** The keys of an issuer cannot be read now. It says nothing about the assertion. */
export class KeysUnread extends Error {
  override readonly name: string = 'KeysUnread'
}

/** Verifies assertions. */
export interface AssertionVerifier {
  /** Resolves with `undefined` for an unknown issuer or an invalid assertion. Rejects with `KeysUnread` when keys are missing. */
  verify(assertion: string): Promise<VerifiedAssertion | undefined>
  /** Closes connections to issuers. */
  close(): Promise<void>
}

/** The value of `typ` in the header of identity assertions. */
const type = 'oauth-id-jag+jwt'

const algorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA']

/** How much the clocks of an issuer and this server may differ, in seconds. */
const toleranceSeconds = 30

/** @param audience the issuer of this server */
export function createAssertionVerifier(issuers: AuthServerConfig['issuers'], audience: string): AssertionVerifier {
  const hosts = Object.values(issuers).map(({ jwksUri }) => new URL(jwksUri).hostname)
  const http = createHttpClient({ allowed: hosts, timeoutMs: 5_000, maxBytes: 512 * 1024, maxRedirects: 0 })
  const fetchKeys = async (url: string): Promise<Response> => {
    const answer = await http.request(url)
    return new Response(textWithoutNulls(await answer.text()), { status: answer.status })
  }
  const known = new Map<string, { readonly name: string; readonly keys: JWTVerifyGetKey }>()
  for (const [name, { issuer, jwksUri }] of Object.entries(issuers)) {
    known.set(issuer, { name, keys: createRemoteJWKSet(new URL(jwksUri), { [customFetch]: fetchKeys }) })
  }
  return {
    async verify(assertion) {
      const iss = issuerIn(assertion)
      const issuer = iss === undefined ? undefined : known.get(iss)
      if (iss === undefined || issuer === undefined) return undefined
      const options = { issuer: iss, audience, typ: type, algorithms, clockTolerance: toleranceSeconds }
      // Nor one that was issued in the future: it would be good for longer than its identifier is remembered.
      const times = { requiredClaims: ['exp', 'iat'], maxTokenAge: longestSeconds }
      try {
        const { payload } = await jwtVerify(assertion, issuer.keys, { ...options, ...times })
        return { issuer: issuer.name, claims: payload }
      } catch (error) {
        if (isOfAssertion(error)) return undefined
        throw new KeysUnread(`the keys of the issuer of assertions ${issuer.name} cannot be read: ${String(error)}`)
      }
    },
    close: () => http.close(),
  }
}

function issuerIn(assertion: string): string | undefined {
  try {
    return decodeJwt(assertion).iss
  } catch {
    return undefined
  }
}

/** Whether the assertion is the cause of the error. Otherwise its issuer's keys could not be read. */
function isOfAssertion(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^ERR_J(?:WT|WS|OSE_ALG|OSE_NOT|WKS_NO_MATCHING|WKS_MULTIPLE)/.test(code)
}
