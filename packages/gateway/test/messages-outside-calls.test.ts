import { expect, test } from 'vitest'
import type { Sink } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { post, Seen } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

/** A session of `ada` whose own stream nothing reads yet, and its link to a backend. */
async function start(naming: { readonly namesAskers?: boolean } = {}) {
  const backend = createTestBackend()
  const nodes = await startNodes([[{ ...tenantOf([backend.entry]), ...naming }]])
  const [gateway] = nodes.gateways
  if (gateway === undefined) throw new Error('no node')
  const { front } = gateway
  const ada = identityOf('ada')
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo }
  const { session } = await openClient(front, ada, params)
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'one__echo', arguments: {} } }
  await post(front, ada, session, call).seen.whole()
  const link = backend.links.find(({ scope }) => scope.session === session.id)
  if (link === undefined) throw new Error('no link')
  const listen = (): Seen => {
    const seen = new Seen()
    const sink: Sink = { owner: undefined, resumable: true, open() {}, send: (text) => seen.add(text) as undefined }
    front.resume(session, undefined, sink)
    return seen
  }
  return { link, listen }
}

test('unread log messages are all kept, also equal ones; equal changes are sent once', async () => {
  const { link, listen } = await start()
  for (let round = 0; round < 3; round += 1) {
    for (const data of ['working', 'working', 'done']) {
      link.client.notify({ method: 'notifications/message', params: payloadOf({ level: 'info', data }) })
    }
    link.client.notify({ method: 'notifications/tools/list_changed', params: undefined })
  }
  const stream = listen()
  await stream.until(({ method }) => method === 'notifications/tools/list_changed')
  const logs = stream.all.filter(({ method }) => method === 'notifications/message')
  expect(logs.map(({ params }) => (params as { data: string }).data).join(' ')).toBe(
    'working working done working working done working working done',
  )
  expect(stream.all.filter(({ method }) => method === 'notifications/tools/list_changed')).toHaveLength(1)
})

test.each([
  [undefined, '[one] Sure?'],
  [true, '[one] Sure?'],
  [false, 'Sure?'],
])('with namesAskers %s the question to a person is %o', async (namesAskers, message) => {
  const { link, listen } = await start(namesAskers === undefined ? {} : { namesAskers })
  const stream = listen()
  const requestedSchema = { type: 'object', properties: {} }
  void link.client.ask({ method: 'elicitation/create', params: payloadOf({ message: 'Sure?', requestedSchema }) })
  await eventually(() => expect(stream.all).toHaveLength(1))
  expect(stream.all[0]).toMatchObject({ method: 'elicitation/create', params: { message } })
})
