import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Front, Session } from '@junctor/contracts'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { mcpProfile, type Profile } from '@junctor/protocol'
import { compactDecrypt } from 'jose'
import { connect, createTestSink, post, three } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicKeyB64 = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const ada = identityOf('ada')
const request = three({ method: 'tools/call', params: { name: 'one__echo' }, id: 1 })
const negotiation = (extensions: readonly string[]) =>
  three({ method: 'rpc.extensions', params: { extensions }, id: 0 })
const encryptedLater = 'Expected no "encrypt" in the options of a request that is answered later'
const result = { content: [{ type: 'text', text: 'balance: 7' }] }

async function start(profile: Profile = mcpProfile) {
  const backend = createTestBackend()
  let calls = 0
  backend.behaviour.call = async (_request, exchange) => {
    calls += 1
    for (const piece of ['a', 'b']) await exchange.chunk(piece)
    return { kind: 'complete', result: payloadOf(result) }
  }
  const nodes = await startNodes([[tenantOf([backend.entry], 'default', profile)]])
  const [gateway] = nodes.gateways
  if (gateway === undefined) throw new Error('no node')
  return { front: gateway.front, calls: () => calls }
}

/** A client that has negotiated these extensions, and calls the tool with these options. */
async function call(front: Front, extensions: readonly string[], options: JsonObject): Promise<readonly JsonObject[]> {
  const { say, seen } = connect(front, ada)
  say(negotiation(extensions))
  await seen.until(({ id }) => id === 0)
  say({ ...request, options })
  await seen.until((message) => ('result' in message || 'error' in message ? message['id'] !== 0 : false))
  return seen.all.slice(1)
}

async function decrypt(jwe: unknown): Promise<unknown> {
  const { plaintext } = await compactDecrypt(String(jwe), privateKey)
  return JSON.parse(Buffer.from(plaintext).toString())
}

describe('the extension encrypt', () => {
  it('encrypts a result, including its pieces', async () => {
    const { front } = await start()
    const [answer, ...more] = await call(front, ['encrypt'], { encrypt: true, publicKeyB64 })
    expect(more).toEqual([])
    expect(answer).toEqual(three({ id: 1, result: expect.any(String) }))
    expect(await decrypt(answer?.['result'])).toEqual({ content: [{ type: 'text', text: 'ab' }, ...result.content] })
  })

  it('encrypts each piece of a stream, and its end', async () => {
    const { front } = await start()
    const frames = await call(front, ['encrypt'], { stream: { encrypt: true, publicKeyB64 } })
    const piece = three({ stream: { id: 1, data: expect.any(String) } })
    expect(frames).toEqual([piece, piece, three({ stream: { id: 1 }, result: expect.any(String) })])
    const texts = frames.map((frame) => (frame['stream'] as JsonObject)['data'] ?? frame['result'])
    expect(await Promise.all(texts.map(decrypt))).toEqual(['a', 'b', result])
  })

  it('refuses an unusable key before anything is called', async () => {
    const { front, calls } = await start()
    for (const options of [{ encrypt: true }, { stream: { encrypt: true, publicKeyB64: 'AAAA' } }]) {
      const [answer] = await call(front, ['encrypt'], options)
      expect(answer).toMatchObject({ error: { code: -32_602, message: expect.stringContaining('publicKeyB64') } })
    }
    expect(calls()).toBe(0)
  })

  it('is refused when the answer would be stored', async () => {
    const { front, calls } = await start()
    const opened = post(front, ada, undefined, negotiation(['async', 'encrypt']))
    await opened.seen.whole()
    const options = { async: true, encrypt: true, publicKeyB64 }
    const { seen } = post(front, ada, opened.origin.session, { ...request, options })
    expect(await seen.whole()).toMatchObject([{ id: 1, error: { code: -32_602 } }])
    const params = { name: 'one__echo', task: {} }
    const asTask = post(front, ada, opened.origin.session, {
      ...request,
      params,
      options: { encrypt: { publicKeyB64 } },
    })
    expect(await asTask.seen.whole()).toMatchObject([{ id: 1, error: { code: -32_602, message: encryptedLater } }])
    expect(calls()).toBe(0)
  })

  it('is refused on the stream of its session where the profile answers requests there', async () => {
    const queuing: Profile = { ...mcpProfile, delivery: 'queued' }
    const { front, calls } = await start(queuing)
    const its = identityOf('ada', 'default', queuing)
    const opened = post(front, its, undefined, negotiation(['async', 'encrypt']))
    await opened.seen.whole()
    const { session } = opened.origin
    const stream = createTestSink()
    front.resume(session as Session, undefined, stream)
    for (const options of [{ encrypt: true, publicKeyB64 }, { encrypt: true }]) {
      const sent = post(front, its, session, { ...request, options })
      // oxlint-disable-next-line no-await-in-loop -- in order
      expect(await sent.seen.whole()).toEqual([{ status: 'queued' }])
      expect(sent.statuses).toEqual([202])
    }
    await stream.seen.until(() => stream.seen.all.length === 2)
    expect(stream.seen.all).toMatchObject([1, 1].map((id) => ({ id, error: { code: -32_602 } })))
    const later = post(front, its, session, { ...request, options: { async: true, encrypt: true, publicKeyB64 } })
    expect(await later.seen.whole()).toMatchObject([{ id: 1, error: { code: -32_602, message: encryptedLater } }])
    expect(calls()).toBe(0)
  })

  it('is refused without running anything when it was not negotiated', async () => {
    const { front, calls } = await start()
    const refused = { code: -32_602, message: expect.stringContaining('rpc.extensions') }
    for (const options of [{ encrypt: true, publicKeyB64 }, { stream: { encrypt: { publicKeyB64 } } }]) {
      const [answer] = await call(front, ['progress'], options)
      expect(answer).toMatchObject({ error: refused })
    }
    // Also without a session, where it cannot be negotiated, and for methods without a secret result.
    const options = { encrypt: true, publicKeyB64 }
    for (const method of ['tools/call', 'ping', 'initialize', 'rpc.extensions', 'request.cancel', 'job.result']) {
      const params = { protocolVersion: '2025-11-25', name: 'one__echo' }
      const { seen, origin } = post(front, ada, undefined, three({ method, params, options, id: 1 }))
      expect(await seen.whole()).toMatchObject([{ id: 1, error: refused }])
      expect(origin.session === undefined || method === 'rpc.extensions').toBe(true)
      const { seen: connected, say } = connect(front, ada)
      say(three({ method, params, options, id: 2 }))
      expect(await connected.until(({ id }) => id === 2)).toMatchObject({ error: refused })
    }
    expect(calls()).toBe(0)
  })

  it('also encrypts the empty answer to a cancel', async () => {
    const { front } = await start()
    const { say, seen } = connect(front, ada)
    say(negotiation(['encrypt']))
    await seen.until(({ id }) => id === 0)
    say(three({ method: 'request.cancel', params: { id: 7 }, options: { encrypt: true, publicKeyB64 }, id: 1 }))
    expect(await decrypt((await seen.until(({ id }) => id === 1))['result'])).toEqual({})
  })
})
