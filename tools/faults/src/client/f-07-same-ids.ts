import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { loud } from './loud.ts'
import type { Peer } from './peer/peer.ts'
import { withNode } from './with-node.ts'

const clients = 40
/** Long enough for every client to send its call, and for every second one to cancel it. */
const callMs = 700

/**
 * All clients use the same request id and the same progress token on one upstream connection, and every second one
 * cancels. Half of them use the other transport: they share only the gateway.
 */
export const sameIds: Scenario = {
  id: 'F-7',
  title: 'same ids, tokens and cancels from many clients',
  ways: ['http', 'stdio'],
  run: (way) =>
    withNode({ backends: { loud: loud({}, { isolation: 'shared' }) } }, async (scene) => {
      const other = way === 'http' ? 'stdio' : 'http'
      const peers = await Promise.all(
        Array.from({ length: clients }, (_, index) => scene.peer(index % 4 < 2 ? way : other)),
      )
      const secrets = peers.map((_, index) => `secret-${index}-`)
      const fickle = peers.map((peer, index) => ({ peer, index })).filter(({ index }) => isFickle(index))
      const answers = peers.map((peer, index) =>
        peer.send(
          JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: {
              name: 'loud__repeat',
              arguments: { text: secrets[index], ms: callMs },
              _meta: { progressToken: 1 },
            },
          }),
        ),
      )
      await Promise.all(
        peers.map((peer, index) => peer.until('its own progress', () => hasReceived(peer, secrets[index] as string))),
      )
      await Promise.all(fickle.map(({ peer }) => peer.notify('notifications/cancelled', { requestId: 1 })))
      await Promise.all(
        peers.map(async (peer, index) => {
          if (isFickle(index)) return
          const { result } = await peer.until('an answer', ({ id }) => id === 1)
          assert.match(JSON.stringify(result), new RegExp(secrets[index] as string))
        }),
      )
      await Promise.all(answers)
      // Late answers to cancelled calls would have arrived by now; and their ids are free again.
      await after(100)
      for (const [index, peer] of peers.entries()) {
        assert.equal(
          peer.messages().some(({ id }) => id === 1),
          !isFickle(index),
          `client ${index} cancelled: ${isFickle(index)}`,
        )
      }
      const again = await Promise.all(
        fickle.map(({ peer, index }) =>
          peer.request('tools/call', { name: 'loud__repeat', arguments: { text: secrets[index], ms: 0 } }, 1),
        ),
      )
      assert.equal(again.filter((answer) => answer['result'] !== undefined).length, clients / 2)
      const foreign = peers.flatMap((peer, index) =>
        secrets.filter((secret, owner) => owner !== index && hasReceived(peer, secret)),
      )
      assert.deepEqual(foreign, [])
      return `${clients} clients, ${clients / 2} cancelled, ${foreign.length} secrets received by others`
    }),
}

function isFickle(index: number): boolean {
  return index % 2 === 1
}

function hasReceived(peer: Peer, secret: string): boolean {
  return peer.frames.some((frame) => frame.includes(secret))
}
