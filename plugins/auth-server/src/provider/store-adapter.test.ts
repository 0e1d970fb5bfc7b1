import type { PluginContext } from '@junctor/plugin-sdk'
import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import type { Adapter } from 'oidc-provider'
import { beforeEach, expect, test } from 'vitest'
import { createAdapters, type RecordStores } from './store-adapter.ts'

let now = 1_000_000
type Records = ReturnType<PluginContext['store']>

let adapterOf: (model: string) => Adapter
let stores: RecordStores

beforeEach(() => {
  const context = createTestPluginContext()
  const storeOf = (name: string): Records => context.store(name, 60_000)
  stores = {
    begun: storeOf('begun'),
    short: storeOf('short'),
    long: storeOf('long'),
    newClients: storeOf('new-clients'),
    clients: storeOf('clients'),
  }
  adapterOf = createAdapters(stores, () => now)
})

test('a record is found until it expires', async () => {
  const codes = adapterOf('AuthorizationCode')
  await codes.upsert('a code', { accountId: 'ada', scope: undefined }, 60)
  expect(await codes.find('a code')).toEqual({ accountId: 'ada' })
  expect(await adapterOf('AccessToken').find('a code')).toBeUndefined()
  now += 60_000
  expect(await codes.find('a code')).toBeUndefined()
})

test('a login that anybody may begin is not kept as long as what a person has done', async () => {
  await adapterOf('Interaction').upsert('a login', { params: {} }, 900)
  expect(await adapterOf('Interaction').find('a login')).toEqual({ params: {} })
  expect([await stores.begun.keys(''), await stores.short.keys('')]).toMatchObject([{ length: 1 }, { length: 0 }])
})

test('a code is used once, also by two nodes at the same time', async () => {
  const [here, there] = [adapterOf('AuthorizationCode'), adapterOf('AuthorizationCode')]
  await adapterOf('AccessToken').upsert('a token', { grantId: 'a grant' }, 60)
  await here.upsert('a code', { grantId: 'a grant' }, 60)
  const results = await Promise.allSettled([here.consume('a code'), there.consume('a code')])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  // Both are suspicious.
  expect(await adapterOf('AccessToken').find('a token')).toBeUndefined()
  await expect(here.consume('another code')).rejects.toThrow('invalid_grant')
})

test('a refresh token may be used again for 30 seconds, also by two nodes at the same time, and then ends its grant', async () => {
  const [here, there] = [adapterOf('RefreshToken'), adapterOf('RefreshToken')]
  await here.upsert('first', { grantId: 'a grant' }, 600)
  await Promise.all([here.consume('first'), there.consume('first')])
  now += 30_000
  expect(await there.find('first')).toEqual({ grantId: 'a grant' })
  await there.consume('first')
  await here.upsert('next', { grantId: 'a grant' }, 600)
  // Each use counts from the first one.
  now += 1000
  expect(await here.find('first')).toMatchObject({ consumed: expect.any(Number) })
  await expect(here.consume('first')).rejects.toThrow('invalid_grant')
  expect(await there.find('next')).toBeUndefined()
})

test('what was destroyed or revoked stays so', async () => {
  const [tokens, grants] = [adapterOf('RefreshToken'), adapterOf('Grant')]
  await tokens.upsert('a token', { grantId: 'a grant' }, 60)
  await tokens.upsert('other', { grantId: 'other' }, 60)
  await grants.upsert('a grant', { accountId: 'ada' }, 60)
  await tokens.revokeByGrantId('a grant')
  await grants.destroy('a grant')
  expect(await Promise.all([tokens.find('a token'), grants.find('a grant')])).toEqual([undefined, undefined])
  expect(await tokens.find('other')).toEqual({ grantId: 'other' })
})

test('a session is found by its other id, and by no stale one', async () => {
  const sessions = adapterOf('Session')
  await sessions.upsert('one', { uid: 'first' }, 60)
  expect(await sessions.findByUid('first')).toEqual({ uid: 'first' })
  await sessions.upsert('one', { uid: 'second' }, 60)
  expect(await sessions.findByUid('first')).toBeUndefined()
  expect(await sessions.findByUid('nothing')).toBeUndefined()
})

test('a client is kept for long when a person has agreed to it, and not when it has only registered itself', async () => {
  const clients = adapterOf('Client')
  await clients.upsert('seen', { client_id: 'seen' }, undefined)
  await clients.upsert('unseen', { client_id: 'unseen' }, undefined)
  expect(await clients.find('seen')).toEqual({ client_id: 'seen' })
  expect(await stores.clients.keys('')).toEqual([])
  await adapterOf('Grant').upsert('a grant', { accountId: 'ada', clientId: 'seen' }, 60)
  await adapterOf('Grant').upsert('another', { accountId: 'ada', clientId: 'https://client.test/its-document' }, 60)

  // All that is only in the store for new ones is gone the next day.
  const later: RecordStores = { ...stores, newClients: createTestPluginContext().store('new-clients', 60_000) }
  const laterClients = createAdapters(later, () => now)('Client')
  expect(await laterClients.find('seen')).toEqual({ client_id: 'seen' })
  expect(await laterClients.find('unseen')).toBeUndefined()
})
