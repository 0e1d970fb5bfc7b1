import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { expect, onTestFinished } from 'vitest'
import { audience, secondsFromNow, startIssuer } from '../fixtures/issuer.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { rawRequest } from '../src/raw-request.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const
const url = 'https://gw.example.com/mcp'

/** A client's key, and the proofs that it makes. */
async function keyOfClient() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk: JWK = await exportJWK(publicKey)
  const thumbprint = await calculateJwkThumbprint(jwk)
  let proofs = 0
  const prove = (token: string, claims: object = {}, header: object = {}): Promise<string> => {
    const ath = createHash('sha256').update(token).digest('base64url')
    const usual = { jti: `proof ${(proofs += 1)}`, htm: 'POST', htu: url, iat: secondsFromNow(0), ath }
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
      .sign(privateKey)
  }
  return { thumbprint, prove, privateJwk: await exportJWK(privateKey) }
}

async function asked(at: string, headers: Readonly<Record<string, string>>) {
  const answer = await rawRequest(at, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: 'gw.example.com',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await answer.text()
  return { status: answer.status, says: String(answer.headers['www-authenticate']) }
}

verifies('ACCESS-18', http, async (cell) => {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  const [mine, other] = [await keyOfClient(), await keyOfClient()]
  const token = issuer.token({ cnf: { jkt: mine.thumbprint } })
  const plain = issuer.token()
  const bound = (proof: string, shown = token) => ({ authorization: `DPoP ${shown}`, dpop: proof })
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      const [first = ''] = gateway.urls
      for (const at of gateway.urls) {
        const once = await mine.prove(token)
        expect((await asked(first, bound(once))).status).toBe(200)
        const attacks: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
          ['a stolen proof, used again at this node or another', bound(once)],
          ['a stolen token as a bearer token', { authorization: `Bearer ${token}` }],
          ['the same with a proof', { ...bound(await mine.prove(token)), authorization: `Bearer ${token}` }],
          ['no proof', { authorization: `DPoP ${token}` }],
          ['the proof of another key', bound(await other.prove(token))],
          ['a proof for another token', bound(await mine.prove(plain))],
          ['a proof without the token', bound(await mine.prove(token, { ath: undefined }))],
          ['a proof for another method', bound(await mine.prove(token, { htm: 'GET' }))],
          ['a proof for another endpoint', bound(await mine.prove(token, { htu: `${url}/acme` }))],
          ['a proof for another host', bound(await mine.prove(token, { htu: 'https://evil.example.com/mcp' }))],
          ['an old proof', bound(await mine.prove(token, { iat: secondsFromNow(-120) }))],
          ['a proof of the future', bound(await mine.prove(token, { iat: secondsFromNow(120) }))],
          ['a proof without an id', bound(await mine.prove(token, { jti: undefined }))],
          ['another type', bound(await mine.prove(token, {}, { typ: 'JWT' }))],
          ['a private key in the proof', bound(await mine.prove(token, {}, { jwk: mine.privateJwk }))],
          ['two proofs', bound(`${await mine.prove(token)}, ${await mine.prove(token)}`)],
          ['no token at all in the proof', bound('null')],
        ]
        for (const [name, headers] of attacks) {
          const { status, says } = await asked(at, headers)
          expect([name, status, says]).toEqual([
            name,
            401,
            expect.stringMatching(/^DPoP error="invalid_dpop_proof".*algs="ES256 /),
          ])
        }
        // A key that is not the client's own binds nothing.
        const unbound = await asked(at, bound(await mine.prove(plain), plain))
        expect([unbound.status, unbound.says]).toEqual([401, expect.stringContaining('bearer token')])
        const byCertificate = issuer.token({ cnf: { 'x5t#S256': 'abc' } })
        expect((await asked(at, { authorization: `Bearer ${byCertificate}` })).status).toBe(401)
        // A query and a default port do not matter.
        const normalized = await mine.prove(token, { htu: 'https://GW.example.com:443/mcp?x=1#y' })
        expect((await asked(at, bound(normalized))).status).toBe(200)
        const acme = issuer.token({ aud: `${audience}/acme`, cnf: { jkt: mine.thumbprint } })
        const forAcme = await mine.prove(acme, { htu: `${url}/acme` })
        expect((await asked(`${at}/acme`, bound(forAcme, acme))).status).toBe(200)
      }
    },
    {
      config: {
        publicUrl: 'https://gw.example.com',
        auth: issuer.auth,
        tenants: { default: { backends: ['demo'] }, acme: { backends: ['demo'] } },
      },
    },
  )
})
