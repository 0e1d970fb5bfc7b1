import { createHash } from 'node:crypto'
import type { Head } from '@junctor/contracts'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createProofJudge, createUsedProofs, type ProofStore } from './proof-of-possession.ts'

const token = 'a-token'

/** A store that two nodes share. */
function sharedStore(): ProofStore & { readonly keys: ReadonlySet<string> } {
  const keys = new Set<string>()
  return {
    keys,
    async put(key) {
      if (keys.has(key)) return 'conflict'
      keys.add(key)
      return keys.size
    },
  }
}

/** A request with a good proof. */
async function provenRequest() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const proof = await new SignJWT({
    jti: 'x'.repeat(5_000),
    htm: 'POST',
    htu: 'https://gw.example.com/mcp',
    ath: createHash('sha256').update(token).digest('base64url'),
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
    .setIssuedAt()
    .sign(privateKey)
  const head = {
    target: { method: 'POST', path: '/mcp' },
    header: (name: string) => (name === 'dpop' ? proof : undefined),
  } as unknown as Head
  return { head, bound: { token, thumbprint: await calculateJwkThumbprint(jwk, 'sha256') } }
}

function nodeWith(store: ProofStore | undefined) {
  return createProofJudge({ base: 'https://gw.example.com/mcp', now: Date.now, used: createUsedProofs(store) })
}

describe('a proof of possession', () => {
  it('is good once over all nodes, also when it reaches them at the same time', async () => {
    const { head, bound } = await provenRequest()
    const store = sharedStore()
    const nodes = [nodeWith(store), nodeWith(store), nodeWith(store)]
    const verdicts = await Promise.all(nodes.flatMap((judge) => [judge(head, bound), judge(head, bound)]))
    expect(verdicts.toSorted()).toEqual(['bad', 'bad', 'bad', 'bad', 'bad', 'good'])
    expect([...store.keys].every((key) => key.length === 43)).toBe(true)
  })

  it('is good once without other nodes', async () => {
    const { head, bound } = await provenRequest()
    const judge = nodeWith(undefined)
    expect([await judge(head, bound), await judge(head, bound)]).toEqual(['good', 'bad'])
  })

  it('is not good while the nodes cannot share that it was used', async () => {
    const { head, bound } = await provenRequest()
    const judge = nodeWith({ put: () => Promise.reject(new Error('NATS is down')) })
    expect(await judge(head, bound)).toBe('unknown')
  })

  it('leaves nothing in storage unless it is good', async () => {
    const { head, bound } = await provenRequest()
    const store = sharedStore()
    expect(await nodeWith(store)(head, { ...bound, thumbprint: 'of another key' })).toBe('bad')
    expect(await nodeWith(store)(head, { ...bound, token: 'another' })).toBe('bad')
    expect(store.keys.size).toBe(0)
  })
})
