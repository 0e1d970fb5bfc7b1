import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { expect, test } from 'vitest'
import { accountName, createAccounts } from './accounts.ts'
import type { UpstreamConfig } from './upstream-config.ts'

const issuer = 'https://corp.test'
const corp: UpstreamConfig = {
  issuer,
  clientId: 'gateway',
  clientSecret: 'secret',
  scopes: [],
  claims: {},
  copyClaims: ['email'],
  loginAgain: 60,
}
const ada = { email: 'ada@corp.test', phone: '1' }

function accountsWith() {
  const context = createTestPluginContext()
  const store = context.store<string>('accounts', 3_600_000)
  const clock = { now: 1_000_000 }
  const { seal } = context
  return {
    clock,
    store,
    of: (upstreams: Readonly<Record<string, UpstreamConfig>>) =>
      createAccounts({ upstreams, store, seal, now: () => clock.now }),
  }
}

test('an account is good for as long as the login, over all nodes', async () => {
  const { clock, of } = accountsWith()
  const account = (await of({ corp }).keep('corp', 'ada', ada)) ?? ''
  expect(account).toBe(accountName(issuer, 'ada'))
  clock.now += 59_999
  expect(await of({ corp }).find(account)).toEqual({
    claims: { email: 'ada@corp.test' },
    label: 'ada@corp.test (corp)',
  })
  clock.now += 1
  expect(await of({ corp }).find(account)).toBeUndefined()
  await of({ corp }).keep('corp', 'ada', {})
  expect(await of({ corp }).find(account)).toEqual({ claims: {}, label: 'ada (corp)' })
})

test('the configuration of now decides', async () => {
  const { of } = accountsWith()
  const account = (await of({ corp }).keep('corp', 'ada', ada)) ?? ''
  const members = { claim: 'email', values: ['bob@corp.test'] }
  expect(await of({}).find(account)).toBeUndefined()
  expect(await of({ corp: { ...corp, issuer: 'https://other.test' } }).find(account)).toBeUndefined()
  expect(await of({ corp: { ...corp, members } }).find(account)).toBeUndefined()
  expect(await of({ renamed: corp }).find(account)).toMatchObject({ label: 'ada@corp.test (renamed)' })
  expect(await of({ corp: { ...corp, members } }).keep('corp', 'ada', ada)).toBeUndefined()
})

test('names of records say nothing, and a record of one account is none of another', async () => {
  const { store, of } = accountsWith()
  await of({ corp }).keep('corp', 'ada', ada)
  const [name = ''] = await store.keys('')
  const value = (await store.get(name))?.value ?? ''
  expect(name).not.toMatch(/ada|corp/)
  await of({ corp }).keep('corp', 'bob', {})
  const [other = ''] = (await store.keys('')).filter((key) => key !== name)
  await store.put(other, value)
  expect(await of({ corp }).find(accountName(issuer, 'bob'))).toBeUndefined()
})
