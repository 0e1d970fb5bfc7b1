import { silentLog } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { expect, it, onTestFinished } from 'vitest'
import { createAccountOffer } from './accounts/account-tickets.ts'
import { createPersonCredentials } from './create-person-credentials.ts'

const publicUrl = 'https://gw.example'
const ada = { tenant: 't', principal: '["i","ada"]' }
const bob = { tenant: 't', principal: '["i","bob"]' }

function setUp() {
  const fabric = createMemoryFabric(createMemoryBus())
  const people = createPersonCredentials({
    backend: 'mail',
    serverUrl: 'https://mail.example/mcp',
    client: undefined,
    scope: undefined,
    issuer: undefined,
    site: { publicUrl, oauthPaths: { authorize: '/a', token: '/t', register: '/r', revoke: '/v', resource: '/p' } },
    showAccounts: () => createAccountOffer(fabric, publicUrl),
    store: <T extends JsonValue>(name: string, ttlMs: number) => fabric.store<T>(name, ttlMs),
    seal: fabric.seal,
    log: silentLog,
    now: Date.now,
  })
  onTestFinished(async () => {
    await people.close()
    await fabric.close()
  })
  return people
}

it('a person who is offered links again and again has one of each kind', async () => {
  const people = setUp()
  const links: string[] = []
  for (const person of [ada, ada, bob, ada]) links.push(await people.offer(person, 'name', undefined))
  links.push(await people.offer(ada, 'name', 'more'))
  expect(links.map((link) => links.indexOf(link))).toEqual([0, 0, 2, 0, 4])
  const all: string[] = []
  for (const person of [ada, ada, bob, ada]) all.push(await people.offerAll(person, 'name'))
  expect(all.map((link) => all.indexOf(link))).toEqual([0, 0, 2, 0])
})
