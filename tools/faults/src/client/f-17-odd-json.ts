import assert from 'node:assert/strict'
import { plainLine } from '@junctor/jsonrpc'
import type { Scenario } from '../scenario.ts'
import { loud } from './loud.ts'
import { oddFrames, oddIds } from './odd-frames.ts'
import { openSession } from './peer/create-peer.ts'
import type { Peer } from './peer/peer.ts'
import { until } from './until.ts'
import { withNode } from './with-node.ts'

/** Bytes that are not text, texts that are not JSON, JSON that is not a message, and malicious messages. */
export const oddJson: Scenario = {
  id: 'F-17',
  title: 'invalid UTF-8, lone surrogates, huge numbers, duplicate keys, prototypes',
  ways: ['http', 'stdio'],
  run: (way) =>
    withNode({ backends: { loud: loud() } }, async (scene) => {
      const natural = Object.getOwnPropertyNames(Object.prototype).toSorted()
      const peer = scene.connect(way)
      // The session itself is opened with such an id.
      await openSession(peer, '__proto__')
      for (const { name, bytes, fate } of oddFrames) {
        // One at a time: a refusal has no id to identify its frame.
        // oxlint-disable-next-line no-await-in-loop
        const frame = await answerTo(peer, bytes, name)
        const { error } = JSON.parse(frame) as { error?: { code: number } }
        const isRefusal = error !== undefined && (error.code === -32700 || error.code === -32600)
        const isOpening = name.endsWith('initialize')
        assert.equal(isRefusal, fate === 'refused' || isOpening, `${name} got ${frame.slice(0, 200)}`)
      }
      for (const id of oddIds) {
        // oxlint-disable-next-line no-await-in-loop
        const frame = await answerTo(peer, Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`), id)
        assert.ok(hasId(frame, id), `id ${id} came back in ${frame}`)
        // oxlint-disable-next-line no-await-in-loop
        const called = await answerTo(
          peer,
          Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"loud__echo"}}`),
          id,
        )
        assert.ok(hasId(called, id) && called.includes('"result"'), `id ${id} came back in ${called}`)
      }
      assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).toSorted(), natural)
      assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined)
      assert.deepEqual((await peer.request('ping'))['result'], {})
      return `${oddFrames.length} odd frames answered as they deserve, ${oddIds.length} odd ids came back to the letter, Object.prototype as before`
    }),
}

/** Whether an answer has an id to the letter. In a stream of lines, the characters that end lines are escaped. */
function hasId(frame: string, id: string): boolean {
  return [id, plainLine(id)].some((text) => frame.includes(`"id":${text},`) || frame.includes(`"id":${text}}`))
}

/** The only answer to a frame. */
async function answerTo(peer: Peer, bytes: Uint8Array, name: string): Promise<string> {
  const before = peer.frames.length
  await peer.send(bytes)
  await until(`an answer to ${name}`, () => peer.frames.length > before)
  assert.equal(peer.frames.length, before + 1, name)
  return peer.frames.at(-1) as string
}
