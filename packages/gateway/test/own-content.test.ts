import { expect, test } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { post } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

test.each(['2024-11-05', '2025-11-25'])('content of a custom type is an embedded resource at %s', async (revision) => {
  const backend = createTestBackend()
  const chart = { type: 'custom/chart', data: { bars: [1, 2] } }
  backend.behaviour.call = async (_request, exchange) => {
    await exchange.chunk(chart)
    return { kind: 'complete', result: payloadOf({ content: [chart] }) }
  }
  const nodes = await startNodes([[tenantOf([backend.entry])]])
  const front = nodes.gateways[0]?.front
  if (front === undefined) throw new Error('no node')
  const ada = identityOf('ada')
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { session } = await openClient(front, ada, params)
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'one__echo', arguments: {} } }
  const [answer] = await post(front, ada, session, call).seen.whole()
  const embedded = (place: string): object => ({
    type: 'resource',
    resource: {
      uri: `attachment://custom/chart/${place}`,
      mimeType: 'custom/chart',
      text: '{"data":{"bars":[1,2]}}',
    },
  })
  expect(answer).toMatchObject({ result: { content: [embedded('chunk-0'), embedded('0')] } })
})
