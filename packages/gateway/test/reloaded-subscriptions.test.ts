import { expect, test } from 'vitest'
import type { Isolation } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import type { Gateway } from '../src/gateway.ts'
import { openClient } from './support/test-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const resource = (uri: string) => payloadOf({ uri, name: uri })

function createBackend(isolation: Isolation = 'session') {
  const backend = createTestBackend({ isolation })
  backend.behaviour.list = async (kind) => (kind === 'resources' ? [resource('note:///a'), resource('note:///b')] : [])
  /** Sends an update of a resource on the newest link. */
  const updated = (uri: string): void => {
    const params = payloadOf({ uri })
    backend.links.at(-1)?.client.notify({ method: 'notifications/resources/updated', params })
  }
  const asked = (method: string) => () =>
    backend.links.flatMap(({ requests }) =>
      requests.filter((request) => request.method === method).map(({ params }) => params?.value()),
    )
  return {
    ...backend,
    updated,
    subscribed: asked('resources/subscribe'),
    unsubscribed: asked('resources/unsubscribe'),
  }
}

async function start(isolation: Isolation = 'session') {
  const [before, after] = [createBackend(isolation), createBackend()]
  const nodes = await startNodes([[tenantOf([before.entry])]])
  const [gateway] = nodes.gateways as [Gateway]
  const client = await openClient(gateway.front, identityOf())
  const stream = client.resume()
  for (const uri of ['note:///a', 'note:///b']) {
    await client.request('resources/subscribe', { uri: `one+${uri}` }).answer()
  }
  const updates = () =>
    stream.seen.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params)
  return { before, after, gateway, client, updates }
}

test('a session stays subscribed at a backend whose configuration changes', async () => {
  const { before, after, gateway, updates } = await start()
  expect(before.subscribed()).toHaveLength(2)
  await gateway.update([tenantOf([after.entry])])
  await eventually(() => expect(after.subscribed()).toEqual([{ uri: 'note:///a' }, { uri: 'note:///b' }]))
  // What has become of them in between is unknown.
  await eventually(() => expect(updates()).toEqual([{ uri: 'one+note:///a' }, { uri: 'one+note:///b' }]))
  after.updated('note:///a')
  await eventually(() => expect(updates().slice(2)).toEqual([{ uri: 'one+note:///a' }]))
})

test("updates have the URI of the subscription: the public one, or the backend's own, also after a reload", async () => {
  const { before, after, gateway, updates } = await start('shared')
  const other = await openClient(gateway.front, identityOf())
  const stream = other.resume()
  const seen = () => stream.seen.map(({ params }) => params)
  await other.request('resources/subscribe', { uri: 'note:///a' }).answer()
  before.updated('note:///a')
  await eventually(() => expect([seen(), updates()]).toEqual([[{ uri: 'note:///a' }], [{ uri: 'one+note:///a' }]]))
  before.updated('note:///a/part')
  await eventually(() => expect(seen().slice(1)).toEqual([{ uri: 'note:///a/part' }]))
  await gateway.update([tenantOf([after.entry])])
  await eventually(() => expect(seen().slice(2)).toContainEqual({ uri: 'note:///a' }))
  await other.request('resources/unsubscribe', { uri: 'note:///a' }).answer()
  await other.request('resources/subscribe', { uri: 'one+note:///b' }).answer()
  after.updated('note:///b')
  await eventually(() => expect(seen().at(-1)).toEqual({ uri: 'one+note:///b' }))
})

test('no session gets updates of a resource that its policy does not permit any more', async () => {
  const { before, gateway, updates } = await start()
  const policy = { allow: undefined, deny: ['one:note:///b'] }
  await gateway.update([{ ...tenantOf([before.entry]), resources: policy }])
  for (const uri of ['note:///b', 'note:///a']) before.updated(uri)
  expect(updates()).toEqual([{ uri: 'one+note:///a' }])
})

test('a subscription that a new policy denies ends at the backend too, and does not come back by itself', async () => {
  const { before, gateway, updates } = await start()
  const policy = { allow: undefined, deny: ['one:note:///b'] }
  await gateway.update([{ ...tenantOf([before.entry]), resources: policy }])
  await eventually(() => expect(before.unsubscribed()).toEqual([{ uri: 'note:///b' }]))
  await gateway.update([tenantOf([before.entry])])
  for (const uri of ['note:///b', 'note:///a']) before.updated(uri)
  expect(updates()).toEqual([{ uri: 'one+note:///a' }])
})

test.each([
  ['session', []],
  ['shared', [{ uri: 'note:///a' }, { uri: 'note:///b' }]],
] as const)(
  'a session uses nothing more of a backend that its tenant has lost, also when another tenant has it, isolation %s',
  async (isolation, unsubscribed) => {
    const { before, gateway, updates } = await start(isolation)
    await gateway.update([tenantOf([]), tenantOf([before.entry], 'other')])
    for (const uri of ['note:///b', 'note:///a']) before.updated(uri)
    expect(updates()).toEqual([])
    await eventually(() => expect(before.unsubscribed()).toEqual(unsubscribed))
    const ownLinks = () => before.links.filter(({ scope, open }) => open && scope.session !== undefined)
    await eventually(() => expect(ownLinks()).toEqual([]))
  },
)

test('a session is subscribed again at a backend that was gone for a while, unless a policy denies it', async () => {
  const { after, gateway, updates } = await start()
  await gateway.update([tenantOf([])])
  // Any number of reloads without it.
  await gateway.update([tenantOf([createTestBackend({}, { name: 'other' }).entry])])
  const policy = { allow: undefined, deny: ['one:note:///b'] }
  await gateway.update([{ ...tenantOf([after.entry]), resources: policy }])
  await eventually(() => expect(after.subscribed()).toEqual([{ uri: 'note:///a' }]))
  await eventually(() => expect(updates()).toEqual([{ uri: 'one+note:///a' }]))
  await gateway.update([tenantOf([after.entry])])
  for (const uri of ['note:///b', 'note:///a']) after.updated(uri)
  await eventually(() => expect(updates().slice(1)).toEqual([{ uri: 'one+note:///a' }]))
})

test('a session can unsubscribe from a resource whose backend is gone', async () => {
  const { after, gateway, client } = await start()
  await gateway.update([tenantOf([])])
  const unsubscribe = (uri: string) => client.request('resources/unsubscribe', { uri }).answer()
  expect(await unsubscribe('one+note:///a')).toMatchObject({ result: {} })
  expect(await unsubscribe('one+note:///a')).toMatchObject({ error: { data: { reason: 'unknown_resource' } } })
  await gateway.update([tenantOf([after.entry])])
  await eventually(() => expect(after.subscribed()).toEqual([{ uri: 'note:///b' }]))
})
