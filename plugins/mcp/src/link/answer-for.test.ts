import { type JsonObject, payloadOf } from '@junctor/plugin-sdk/link'
import { openEvents, recordClient, sendEvent, sendJson } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { leanServer, openLean, result, scopeFor } from '../../test/lean-server.ts'
import { backendFromMcpServer } from '../backend-from-mcp-server.ts'
import type { SdkServerTransport } from '../sdk-transport.ts'

test('a server before 2025-11-25 gets the content of a sampled message as one block', async () => {
  const answered = Promise.withResolvers<unknown>()
  const script = leanServer({
    'POST initialize'(to, response) {
      const server = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } }
      sendJson(response, result(to, server), 200, { 'mcp-session-id': 's-1' })
    },
    GET(_to, response) {
      openEvents(response)
      sendEvent(response, { data: { jsonrpc: '2.0', id: 0, method: 'sampling/createMessage', params: {} } })
    },
    POST(to, response) {
      answered.resolve(to.body)
      response.writeHead(202).end()
    },
  })
  const message = { role: 'assistant', model: 'any', content: [{ type: 'text', text: 'one' }] }
  await openLean(script, recordClient({ answer: () => ({ result: payloadOf(message) }) }))
  expect(await answered.promise).toMatchObject({ id: 0, result: { content: { type: 'text', text: 'one' } } })
})

test.each([
  ['2025-06-18', { type: 'text', text: 'one' }],
  ['2025-11-25', [{ type: 'text', text: 'one' }]],
])('a server of %s gets the content of a sampled message as its revision has it', async (protocolVersion, content) => {
  const answered = Promise.withResolvers<JsonObject>()
  const create = () => ({
    async connect(transport: SdkServerTransport) {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener
      transport.onmessage = (message: JsonObject): void => {
        const { id, method } = message
        const server = { protocolVersion, capabilities: {}, serverInfo: { name: 'asks', version: '1' } }
        if (method === 'initialize') void transport.send({ jsonrpc: '2.0', id, result: server })
        else if (method === 'notifications/initialized') {
          void transport.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: { messages: [] } })
        } else answered.resolve(message)
      }
    },
    close: () => Promise.resolve(),
  })
  const message = payloadOf({ role: 'assistant', model: 'any', content: [{ type: 'text', text: 'one' }] })
  const client = recordClient({ answer: () => ({ result: message }) })
  const link = await backendFromMcpServer(create, { name: 'asks' }).open(
    scopeFor(client),
    client,
    new AbortController().signal,
  )
  expect(await answered.promise).toMatchObject({ id: 1, result: { role: 'assistant', model: 'any', content } })
  await link.close()
})
