import { describe, expect, it } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

async function start(...names: string[]) {
  const backends = names.map((name) => createTestBackend({}, { name }))
  const nodes = await startNodes([[tenantOf(backends.map(({ entry }) => entry))]])
  const [gateway] = nodes.gateways
  if (gateway === undefined) throw new Error('no gateway')
  const client = await openClient(gateway.front, identityOf())
  const list = async (): Promise<unknown> => (await client.request('tools/list').answer()).result
  return { gateway, client, backends, list }
}

describe('taking over other tenants', () => {
  it('keeps the links and the state of unchanged backends', async () => {
    const { gateway, client, backends } = await start('one', 'two')
    const [one, two] = backends
    await client.request('tools/call', { name: 'one__echo', arguments: {} }).answer()
    await client.request('tools/call', { name: 'two__echo', arguments: {} }).answer()
    const kept = one?.open.length
    await gateway.update([tenantOf([one!.entry])])
    expect(one?.open.length).toBe(kept)
    expect(two?.open).toEqual([])
    const answer = await client.request('tools/call', { name: 'one__echo', arguments: {} }).answer()
    expect(answer.result).toBeDefined()
    const unknown = await client.request('tools/call', { name: 'two__echo', arguments: {} }).answer()
    expect(unknown.error?.code).toBe(-32_602)
  })

  it('shows added backends, and notifies clients of changed lists', async () => {
    const { gateway, client, backends, list } = await start('one')
    const stream = client.resume()
    await list()
    const three = createTestBackend({}, { name: 'three' })
    await gateway.update([tenantOf([backends[0]!.entry, three.entry])])
    await stream.until(({ method }) => method === 'notifications/tools/list_changed')
    expect(JSON.stringify(await list())).toContain('three__echo')
  })

  it('does not notify clients of a tenant that looks the same', async () => {
    const { gateway, client, backends } = await start('one')
    const stream = client.resume()
    await gateway.update([tenantOf([backends[0]!.entry])])
    await client.request('ping').answer()
    expect(stream.seen).toEqual([])
  })

  it('keeps subscriptions at a backend that was replaced, but not those that the tenant may not have any more', async () => {
    const { gateway, client } = await start('one')
    const stream = client.resume()
    for (const name of ['a', 'b']) await client.request('resources/subscribe', { uri: `one+file:///${name}` }).answer()
    const next = createTestBackend({}, { name: 'one' })
    await gateway.update([{ ...tenantOf([next.entry]), resources: { allow: undefined, deny: ['one:file:///b'] } }])
    const asked = (): unknown[] =>
      next.links.flatMap(({ requests }) => requests.map(({ method, params }) => [method, params?.value()]))
    await eventually(() => expect(asked()).toEqual([['resources/subscribe', { uri: 'file:///a' }]]))
    const updated = { method: 'notifications/resources/updated', params: payloadOf({ uri: 'file:///a' }) }
    next.links[0]?.client.notify(updated)
    const { params } = await stream.until(({ method }) => method === updated.method)
    expect(params).toEqual({ uri: 'one+file:///a' })
  })

  it('keeps a subscription that the replaced backend answers too late', async () => {
    const { gateway, client, backends } = await start('one')
    const [before] = backends
    const { promise: isReplaced, resolve: replaced } = Promise.withResolvers<void>()
    const complete = { kind: 'complete', result: payloadOf({}) } as const
    if (before !== undefined) before.behaviour.call = () => isReplaced.then(() => complete)
    const subscribed = client.request('resources/subscribe', { uri: 'one+file:///a' })
    await eventually(() => expect(before?.links.flatMap(({ requests }) => requests)).toHaveLength(1))
    const next = createTestBackend({}, { name: 'one' })
    const updating = gateway.update([tenantOf([next.entry])])
    replaced()
    expect((await subscribed.answer()).result).toEqual({})
    await updating
    await eventually(() =>
      expect(next.links.flatMap(({ requests }) => requests.map(({ params }) => params?.value()))).toEqual([
        { uri: 'file:///a' },
      ]),
    )
  })

  it('ends sessions whose tenant was removed or has another profile', async () => {
    const { gateway, client, backends } = await start('one')
    const other = { ...mcpProfile, name: 'other' }
    await gateway.update([{ ...tenantOf([backends[0]!.entry]), tenant: { name: 'default', profile: other } }])
    expect(await gateway.front.session(client.session.id, identityOf())).toBeUndefined()
    await gateway.update([])
    expect(gateway.gauges().sessions).toEqual({})
  })
})
