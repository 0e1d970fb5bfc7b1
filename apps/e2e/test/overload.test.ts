import { expect } from 'vitest'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { createHttpWire, type HttpWire } from '../src/http-wire.ts'
import { errorOf, resultOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'] } as const
const overloaded = { data: { reason: 'overloaded', retryable: true } }

verifies('MCP-11.9', http, async (cell) => {
  const sessions = 3
  await inGateway(
    cell,
    { demo: demo() },
    async (scene) => {
      // Each node has its own limit; the nodes are used in turn.
      const open: HttpWire[] = []
      for (const url of scene.gateway.urls) {
        for (let count = 0; count < sessions; count += 1) {
          const wire = createHttpWire([url])
          const params = { protocolVersion: cell.revision, capabilities: {}, clientInfo: { name: 'one', version: '1' } }
          await wire.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
          open.push(wire)
        }
        const wire = createHttpWire([url])
        const params = { protocolVersion: cell.revision, capabilities: {}, clientInfo: { name: 'too', version: '1' } }
        const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
        const refused = await wire.post(initialize)
        expect(refused.status).toBe(503)
        expect(refused.headers.get('mcp-session-id')).toBeNull()
        const { message } = await wire.until(({ message: { id } }) => id === 1)
        expect(errorOf(message)).toMatchObject(overloaded)
        // A session that ends makes room for another.
        await open.at(-1)?.delete()
        expect((await wire.post(initialize)).status).toBe(200)
        await wire.close()
      }
      await Promise.all(open.map((wire) => wire.close()))
    },
    { config: { limits: { sessions } } },
  )
})

verifies('MCP-11.9', {}, async (cell) => {
  const inFlight = 4
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client }) => {
      const [one, other] = [await client(), await client()]
      // A client on the bus is served by one of the nodes.
      const total = 2 * inFlight * (cell.way === 'bus' ? 1 : cell.nodes)
      for (let id = 0; id < total; id += 1) {
        const params = { name: 'demo__slow', arguments: { ms: 60_000 } }
        await one.send({ jsonrpc: '2.0', id, method: 'tools/call', params })
      }
      const refused = () => one.received.filter(({ message: { error } }) => error !== undefined)
      await expect.poll(() => refused().length).toBe(total / 2)
      for (const { message } of refused()) expect(errorOf(message)).toMatchObject(overloaded)
      // The limit applies to this session only; and an ended request makes room.
      expect(resultOf(await other.request('ping'))).toEqual({})
      for (let requestId = 0; requestId < total; requestId += 1) {
        await one.notify('notifications/cancelled', { requestId })
      }
      let attempts = 0
      await expect.poll(async () => (await one.request('ping', {}, `again ${attempts++}`))['result']).toEqual({})
    },
    { config: { limits: { inFlight } } },
  )
})

verifies('MCP-11.9', http, async (cell) => {
  const streams = 2
  await inGateway(
    cell,
    { demo: demo() },
    async (scene) => {
      const one = await scene.http({ listens: false })
      const total = 4 * cell.nodes
      for (let count = 0; count < total; count += 1) {
        const params = { name: 'demo__progress', arguments: { steps: 1, delayMs: 0 }, _meta: { progressToken: count } }
        const answer = await one.post({ jsonrpc: '2.0', id: `call ${count}`, method: 'tools/call', params })
        await answer.ended
      }
      // Each node removes the oldest of its streams: two on each node can still be resumed.
      const answers = one.received.filter(({ message: { id } }) => typeof id === 'string' && id.startsWith('call'))
      expect(answers).toHaveLength(total)
      const statuses: number[] = []
      for (const { eventId = '' } of answers) statuses.push((await one.get({ 'last-event-id': eventId })).status)
      expect(statuses).toEqual(answers.map((_, index) => (index < total - streams * cell.nodes ? 400 : 200)))
    },
    { config: { limits: { streams } } },
  )
})

verifies('LIM-14', { revisions: ['2026-07-28'] }, async (cell) => {
  const capabilities = { tools: {}, resources: { subscribe: true } }
  await inStateless(cell, { one: lean({ capabilities }, { prefix: '' }) }, async ({ stateless }) => {
    const client = await stateless()
    const resourceSubscriptions = Array.from({ length: 1_500 }, (_, index) => `file:///any/${index}`)
    await client.send('subscriptions/listen', client.declared({ notifications: { resourceSubscriptions } }), 'many')
    const { message } = await client.wire.until(
      ({ message: got }) => got['method'] === 'notifications/subscriptions/acknowledged',
    )
    expect(message['params']).toMatchObject({
      notifications: { resourceSubscriptions: resourceSubscriptions.slice(0, 1_000) },
    })
  })
})
