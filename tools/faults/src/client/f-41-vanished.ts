import assert from 'node:assert/strict'
import { createChaosProxy } from '@junctor/testkit'
import type { Scenario } from '../scenario.ts'
import { loud } from './loud.ts'
import { metric } from './metric.ts'
import { openSession } from './peer/create-peer.ts'
import { createHttpPeer } from './peer/http-peer.ts'
import { until } from './until.ts'
import { withProcess } from './with-process.ts'

const clients = 10

/** Clients whose network fails: their connections stay open, and nothing arrives on them any more. */
export const vanished: Scenario = {
  id: 'F-41',
  title: 'clients that vanish without a word, idle and in the middle of a call',
  ways: ['http'],
  heavy: true,
  run: (way) =>
    withProcess(
      way,
      { limits: { sessionIdle: '2s', keepAliveTimeout: '2s' }, backends: { loud: loud() } },
      async ({ gateway }) => {
        const { port, pathname } = new URL(gateway.url)
        const atRest = gateway.descendants().length
        const descriptors = gateway.descriptors()
        const proxy = await createChaosProxy({ port: Number(port) })
        const peers = Array.from({ length: clients }, () => createHttpPeer(`http://127.0.0.1:${proxy.port}${pathname}`))
        try {
          await Promise.all(
            peers.map(async (peer, index) => {
              await openSession(peer)
              assert.ok((await peer.request('tools/call', { name: 'loud__echo' }))['result'])
              const params = { name: 'loud__repeat', arguments: { text: 'x', ms: 1_500 } }
              if (index % 2 === 0) return
              await peer.send(JSON.stringify({ jsonrpc: '2.0', id: 'on its way', method: 'tools/call', params }))
            }),
          )
          const began = performance.now()
          for (const stream of ['upstream', 'downstream'] as const) proxy.set(stream, { timeout: { timeout: 0 } })
          assert.ok(proxy.connections >= clients / 2)
          await until(
            'all sessions to be closed',
            async () => (await metric(gateway.admin, 'mcp_sessions_active')) === 0,
          )
          await until('their processes to be gone', () => gateway.descendants().length <= atRest)
          await until('their connections to be closed', () => gateway.descriptors() <= descriptors)
          const seconds = (performance.now() - began) / 1_000
          return `${clients} clients, their sessions, processes and connections gone ${seconds.toFixed(1)} s later, with 2 s to be idle in`
        } finally {
          await Promise.all(peers.map((peer) => peer.close()))
          await proxy.close()
        }
      },
    ),
}
