import { generateKeyPairSync } from 'node:crypto'
import { eventually } from '@junctor/testkit'
import { compactDecrypt } from 'jose'
import { expect } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { answerTo, onStage, request, untilCall } from '../src/json-rpc-3/on-stage.ts'
import { verifies } from '../src/verifies.ts'

// The additions of JSON-RPC 3.0: streams, acks, options and extensions, in front of a backend that the test controls.

verifies(['C-4.2', 'C-6.2'], {}, async (cell) => {
  await onStage(cell, async ({ peer, puppet }) => {
    const one = await peer()
    // Without the option, the result contains the streamed pieces.
    const plain = answerTo(one, 'play.stream', {})
    const call = await untilCall(puppet, 0)
    await call.exchange.chunk('a')
    await call.exchange.chunk('b')
    call.finish('end')
    expect(JSON.stringify(await plain)).toContain('end')
    // With the option, pieces arrive one by one, and the end has stream form, also for a method that does not stream.
    const stream = one.peer.stream('play.stream', payloadOf({}))
    const second = await untilCall(puppet, 1)
    await second.exchange.chunk({ n: 1 })
    await second.exchange.chunk({ n: 2 })
    second.finish('end')
    const pieces: unknown[] = []
    for await (const piece of stream) pieces.push(piece.value())
    expect(pieces).toEqual([{ n: 1 }, { n: 2 }])
    expect(await stream.response).toMatchObject({ kind: 'result', stream: true })
    const ping = one.peer.stream('ping', undefined)
    expect(await ping.next()).toMatchObject({ done: true })
    expect(await ping.response).toMatchObject({ kind: 'result', stream: true })
  })
})

verifies('C-4.3', {}, async (cell) => {
  await onStage(cell, async ({ peer, puppet, say }) => {
    const options = { encrypt: false, retries: 3, stream: { quality: 'best' } }
    const one = await peer()
    const stream = one.peer.stream('play.stream', payloadOf({ since: 'today' }), { options: payloadOf(options) })
    const call = await untilCall(puppet, 0)
    expect(call.params).toEqual({ since: 'today' })
    expect(call.exchange.options).toEqual(options)
    call.finish(null)
    await stream.response
    // An extension that only one side knows is not agreed on.
    const asked = { extensions: ['progress', 'abort', 'async', 'telepathy'] }
    const [answer] = await say([request({ method: 'rpc.extensions', params: asked, id: 1 })], 1)
    const { extensions } = (answer as { result: { extensions: readonly string[] } }).result
    expect(extensions.toSorted()).toEqual(['abort', 'async', 'progress'])
  })
})

verifies('C-4.3', {}, async (cell) => {
  await onStage(cell, async ({ peer, puppet }) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const publicKeyB64 = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const open = async (jwe: unknown): Promise<unknown> => {
      const { plaintext } = await compactDecrypt(String(jwe), privateKey)
      return JSON.parse(new TextDecoder().decode(plaintext))
    }
    const one = await peer()
    await answerTo(one, 'rpc.extensions', { extensions: ['encrypt'] })
    const options = payloadOf({ encrypt: { publicKeyB64 } })
    const stream = one.peer.stream('play.stream', payloadOf({}), { options })
    const call = await untilCall(puppet, 0)
    await call.exchange.chunk({ secret: 1 })
    await call.exchange.chunk('secret 2')
    call.finish({ secret: 3 })
    const pieces: unknown[] = []
    for await (const piece of stream) pieces.push(piece.value())
    expect(JSON.stringify(pieces)).not.toContain('secret')
    expect(await Promise.all(pieces.map(open))).toEqual([{ secret: 1 }, 'secret 2'])
    const response = await stream.response
    const result = response.kind === 'result' ? response.result.value() : response
    expect(await open(result)).toEqual({ secret: 3 })
  })
})

verifies(['C-4.3', 'C-5.3'], {}, async (cell) => {
  await onStage(cell, async ({ peer, puppet }) => {
    // Only clients that have negotiated it get progress in acks.
    for (const agreed of [false, true]) {
      // oxlint-disable no-await-in-loop
      const one = await peer()
      if (agreed) await answerTo(one, 'rpc.extensions', { extensions: ['progress'] })
      const acks: unknown[] = []
      const acknowledged = ({ info }: { info: { value(): unknown } | undefined }): void => void acks.push(info?.value())
      const answered = one.peer.request('play.task', payloadOf({}), { acknowledged, timeoutMs: 10_000 })
      const call = await untilCall(puppet, agreed ? 1 : 0)
      call.exchange.ack()
      await eventually(() => expect(acks).toHaveLength(1))
      call.exchange.progress({ progress: 1, total: 2 })
      call.finish('done')
      expect(await answered).toMatchObject({ kind: 'result' })
      expect(acks.slice(1)).toEqual(agreed ? [{ progress: 1, total: 2 }] : [])
      expect(one.peer.dropped).toBe(0)
      // oxlint-enable no-await-in-loop
    }
  })
})

verifies('C-9', { ways: ['http'] }, async (cell) => {
  await onStage(cell, async ({ gateway, puppet }) => {
    for (const [index, [accept, type]] of [
      ['application/json, text/event-stream', /^text\/event-stream/],
      ['application/json, application/x-ndjson', /^application\/x-ndjson/],
    ].entries()) {
      const body = request({ method: 'play.stream', id: 1, options: { stream: true } })
      const headers = { 'content-type': 'application/json', accept: String(accept) }
      const responding = fetch(gateway.urls.at(-1) as string, { method: 'POST', headers, body })
      // oxlint-disable no-await-in-loop
      const call = await untilCall(puppet, index)
      await call.exchange.chunk('one')
      call.finish('two')
      const response = await responding
      expect(response.headers.get('content-type')).toMatch(type as RegExp)
      const text = await response.text()
      expect(text).toContain('{"jsonrpc":"3.0","stream":{"id":1,"data":"one"}}')
      expect(text).toContain('{"jsonrpc":"3.0","stream":{"id":1},"result":"two"}')
      // oxlint-enable no-await-in-loop
    }
  })
})

verifies('C-9', { ways: ['http'] }, async (cell) => {
  await onStage(cell, async ({ gateway, puppet }) => {
    for (const [index, accept] of ['text/event-stream', 'application/x-ndjson'].entries()) {
      const headers = { 'content-type': 'application/json', accept: `application/json, ${accept}` }
      const body = request({ method: 'play.task', id: 1 })
      // oxlint-disable no-await-in-loop
      // Proxies give up a connection that stays silent: the response begins while the method works.
      const response = await fetch(gateway.urls.at(-1) as string, { method: 'POST', headers, body })
      expect(response.headers.get('content-type')).toContain(accept)
      const call = await untilCall(puppet, index)
      call.finish('late')
      expect(await response.text()).toContain('{"jsonrpc":"3.0","id":1,"result":"late"}')
      // oxlint-enable no-await-in-loop
    }
  })
})
