import type { JsonObject } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { type GatewayUnderTest, startGateway } from '../src/gateway-under-test.ts'
import { demo } from '../src/in-gateway.ts'
import { inStateless } from '../src/in-stateless.ts'
import { rawRequest } from '../src/raw-request.ts'
import { textOf } from '../src/result-of.ts'
import { askingResult, answersTo, mirrors } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'
import { type AtNode, openSessionAtNodes } from '../src/session-at-nodes.ts'
import { openHttpClient } from '../src/wire-client.ts'

// The first node leaves while a person thinks about a question. Each message has a connection of its own.

const name = { action: 'accept', content: { name: 'Ada', age: 36 } }
const ask: JsonObject = { name: 'demo__ask', arguments: {} }
const config = { limits: { grace: '20s', drainDelay: '1ms' } }
const usual = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', connection: 'close' }

/** Begins to close the first node; resolves when it takes no session any more. */
async function leave({ nodes, urls }: GatewayUnderTest): Promise<{ readonly left: Promise<void> }> {
  const left = (nodes[0] as (typeof nodes)[number]).close()
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'late', version: '1' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'late', method: 'initialize', params })
  const isRefused = (): Promise<boolean> =>
    rawRequest(urls[0] as string, { headers: usual, body }).then(
      async (answer) => (await answer.text(), answer.status === 503),
      () => true,
    )
  await expect.poll(isRefused).toBe(true)
  return { left }
}

verifies('REL-8', { ways: ['http'], revisions: ['2025-11-25', '2026-07-28'] }, async (cell) => {
  await inStateless(
    cell,
    { demo: demo() },
    async ({ gateway, stateless }) => {
      const answerTo = gateway.urls.at(-1) as string
      if (cell.revision === '2026-07-28') {
        const one = await stateless({ capabilities: { elicitation: {} }, headers: { connection: 'close' } })
        const asked = askingResult(await one.request('tools/call', one.declared(ask)))
        const { left } = await leave(gateway)
        const inputResponses = answersTo(asked, { 'elicitation/create': () => name })
        const params = one.declared({ ...ask, inputResponses, requestState: asked['requestState'] })
        const body = JSON.stringify({ jsonrpc: '2.0', id: 'again', method: 'tools/call', params })
        const answer = await rawRequest(answerTo, { headers: { ...usual, ...mirrors('tools/call', params) }, body })
        expect(await answer.text()).toContain('Hello Ada')
        return await left
      }
      const one = await openHttpClient({ urls: gateway.urls.slice(0, 1) }, cell, {
        capabilities: { elicitation: {} },
        headers: { connection: 'close' },
        listens: false,
      })
      await one.post({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: ask })
      const { message } = await one.until((received) => received.message['method'] === 'elicitation/create')
      const { left } = await leave(gateway)
      const headers = { ...usual, 'mcp-session-id': one.session ?? '', 'mcp-protocol-version': cell.revision }
      const body = JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: name })
      expect(await rawRequest(answerTo, { headers, body })).toMatchObject({ status: 202 })
      const called = await one.until((received) => received.message['id'] === 'call')
      expect(textOf(called.message)).toContain('Hello Ada')
      await one.close()
      await left
    },
    config,
  )
})

test('a call whose client was cut off goes on while the node that it was sent to leaves', async () => {
  const gateway = await startGateway({ nodes: 2, config: { backends: { demo: demo() }, ...config } })
  const [leaving, home] = gateway.urls as [string, string]
  const session = await openSessionAtNodes([home, leaving], { capabilities: { elicitation: {} } })
  const [atHome, atLeaving] = session.nodes as [AtNode, AtNode]
  const call = await atLeaving.post({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: ask })
  const { message, eventId = '' } = await atLeaving.until((received) => received.message['method'] !== undefined)
  call.drop()
  await call.ended
  const left = (gateway.nodes[0] as (typeof gateway.nodes)[number]).close()
  const isClosed = (): Promise<boolean> =>
    fetch(leaving).then(
      async (answer) => (await answer.text(), false),
      () => true,
    )
  await expect.poll(isClosed).toBe(true)
  // Meanwhile it would leave.
  // oxlint-disable-next-line no-await-in-loop
  for (let times = 0; times < 50; times += 1) await atHome.request('ping')
  const resumed = await atHome.get({ 'last-event-id': eventId })
  expect(resumed.status).toBe(200)
  await atHome.send({ jsonrpc: '2.0', id: message['id'] ?? null, result: name })
  await resumed.ended
  const { message: answer } = await atHome.until((received) => received.message['id'] === 'call')
  expect(textOf(answer)).toContain('Hello Ada')
  await left
  await session.close()
  await gateway.close()
})
