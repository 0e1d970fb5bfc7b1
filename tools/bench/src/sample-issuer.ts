import { generateKeyPairSync, sign } from 'node:crypto'

/** An issuer of tokens that exists for one run. */
export interface SampleIssuer {
  readonly issuer: string
  readonly audience: string
  /** Its public keys, as JSON (RFC 7517). */
  readonly keys: string
  /** An access token of a caller (RFC 9068), valid for a day. */
  readonly token: string
}

/** Creates an issuer with a key of its own, and a token of a member of the organisation `bench`. */
export function createSampleIssuer(): SampleIssuer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [issuer, audience] = ['https://id.bench.test', 'https://gateway.bench.test']
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: audience,
    sub: 'ada',
    org: 'bench',
    scope: 'mcp call',
    iat: now,
    exp: now + 86_400,
  }
  const text = `${base64url({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })}.${base64url(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'ES256', use: 'sig' }
  return {
    issuer,
    audience,
    keys: JSON.stringify({ keys: [jwk] }),
    token: `${text}.${signature.toString('base64url')}`,
  }
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
