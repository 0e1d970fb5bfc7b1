import { expect, it } from 'vitest'
import type { TelemetryEvent } from '@junctor/contracts'
import { type JsonObject, payloadOf, requestId } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { openClient } from '../../../test/support/test-client.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from '../../../test/support/test-nodes.ts'
import type { Gateway } from '../../gateway.ts'

/** A session whose home is the first of two nodes, at the second one, and the calls that each node reports. */
async function setUp() {
  const profile = { ...mcpProfile, aliases: { call: 'tools/call' } }
  const backend = createTestBackend({ timeoutMs: 600_000 })
  const events: TelemetryEvent[][] = [[], []]
  const tenants = [tenantOf([backend.entry], 'default', profile)]
  const emitOf = (node: number) => (event: TelemetryEvent) => {
    if (event.kind === 'request_finished' && event.method === 'tools/call') events[node]?.push(event)
  }
  const nodes = await startNodes([tenants, tenants], {}, undefined, emitOf)
  const [home, other] = nodes.gateways as [Gateway, Gateway]
  const opened = await openClient(home.front, identityOf('ada', 'default', profile))
  const client = await opened.at(other.front)
  return { backend, nodes, gateways: [home, other] as const, client, events }
}

it('the node of the client reports a call whose home is lost while it runs, and one that no longer reaches it', async () => {
  const { backend, nodes, client, events } = await setUp()
  const began = Promise.withResolvers<void>()
  backend.behaviour.call = () => (began.resolve(), new Promise(() => {}))
  const call = client.request('call', { name: 'one__echo' })
  await began.promise
  await nodes.leave(0)
  expect(await call.answer()).toMatchObject({ error: { data: { reason: 'outcome_unknown' } } })
  const lost = { tenant: 'default', transport: 'http', method: 'tools/call', outcome: 'error', origin: 'gateway' }
  const ofTool = { ...lost, backend: 'one', tool: 'one__echo', principal: 'local ada' }
  expect(events[1]).toMatchObject([{ ...ofTool, reason: 'outcome_unknown' }])
  for (const name of ['one__echo', 'not a name of a tool']) await client.request('tools/call', { name }).answer()
  const unsent = { ...ofTool, reason: 'backend_unavailable' }
  expect(events[1]?.slice(1)).toMatchObject([unsent, { ...unsent, backend: undefined, tool: undefined }])
})

it('the node that continues a request reports it when it is lost with the node that has parked it', async () => {
  const { backend, nodes, gateways, events } = await setUp()
  const going = Promise.withResolvers<void>()
  backend.behaviour.call = async (_, exchange) => {
    const requestedSchema = { type: 'object', properties: {} }
    await exchange.ask({ method: 'elicitation/create', params: payloadOf({ message: 'Who?', requestedSchema }) })
    going.resolve()
    return new Promise(() => {})
  }
  const prefix = 'io.modelcontextprotocol/'
  const declared = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: { elicitation: {} } }
  const call = (node: number, more: JsonObject = {}) => {
    const { promise, resolve } = Promise.withResolvers<JsonObject>()
    const send = (text: string): undefined => resolve(JSON.parse(text) as JsonObject) as undefined
    const params = payloadOf({ name: 'one__echo', _meta: declared, ...more })
    const request = { kind: 'request', dialect: '2.0', id: requestId(1), method: 'tools/call', params } as const
    const from = {
      transport: 'http',
      identity: identityOf(),
      session: undefined,
      revision: undefined,
      dialect: '2.0',
    } as const
    void gateways[node]?.front.receive(request, from, { owner: undefined, resumable: false, open() {}, send })
    return promise
  }
  const { inputRequests, requestState } = (await call(0))['result'] as JsonObject & { inputRequests: JsonObject }
  const accepted = Object.keys(inputRequests).map((key) => [key, { action: 'accept', content: {} }])
  const continued = call(1, { requestState: requestState ?? '', inputResponses: Object.fromEntries(accepted) })
  await going.promise
  await nodes.leave(0)
  expect(await continued).toMatchObject({ error: { data: { reason: 'outcome_unknown' } } })
  expect(events[1]).toMatchObject([{ tool: 'one__echo', reason: 'outcome_unknown', outcome: 'error' }])
})

it('what the home has answered is reported once, also when a link behind it is lost', async () => {
  const { backend, client, events } = await setUp()
  const data = payloadOf({ reason: 'backend_exited', backend: 'one' })
  backend.behaviour.call = () => ({ kind: 'error', error: { code: -32_000, message: 'lost', data }, loss: 'cut' })
  await client.request('tools/call', { name: 'one__echo' }).answer()
  expect(events).toMatchObject([[{ tool: 'one__echo', reason: 'backend_exited' }], []])
})
