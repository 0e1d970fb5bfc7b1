import { createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'

/** A part of a token: an object is printed as JSON, a text is used unchanged. */
type Part = object | string

/** A key of an issuer. Tokens are assembled by hand, so that they can also be invalid. */
export interface SigningKey {
  /** The public half, as a key set publishes it. */
  readonly jwk: JsonWebKey
  /** The public half as PEM, which some verifiers would accept as an HMAC secret. */
  readonly pem: string
  /** Creates a token with these claims and this header (`alg` and `kid` by default). */
  token(claims: Part, header?: object): string
}

type Algorithm = 'RS256' | 'ES256' | 'EdDSA'

/**
 * Creates a new key pair.
 *
 * @param bits of an RSA key
 */
export function createSigningKey(kid: string, alg: Algorithm = 'ES256', bits = 2048): SigningKey {
  const { publicKey, privateKey } = pairFor(alg, bits)
  return {
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' },
    pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    token(claims, header = {}) {
      const signed = `${encoded({ alg, kid, ...header })}.${encoded(claims)}`
      const digest = alg === 'EdDSA' ? null : 'sha256'
      const signature = sign(digest, Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${signed}.${signature.toString('base64url')}`
    },
  }
}

function pairFor(alg: Algorithm, bits: number): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  if (alg === 'RS256') return generateKeyPairSync('rsa', { modulusLength: bits })
  return alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
}

/** Creates a token whose signature is an HMAC. */
export function hmacToken(header: object, claims: Part, secret: string): string {
  const signed = `${encoded(header)}.${encoded(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Encodes one part of a token. */
export function encoded(part: Part): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}
