import type { Store } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Tokens } from '../oauth/tokens.ts'
import type { Grant } from './grant.ts'
import { createGrants, type GrantRecord, type Grants } from './grants.ts'

const ada = { tenant: 't', principal: '["i","ada"]' }
const bob = { tenant: 't', principal: '["i","bob"]' }

const grantOf = (accessToken: string, refreshToken: string | null): Grant => ({
  tokens: { accessToken, refreshToken, expires: null, scope: null },
  issuer: 'https://as.example',
  resource: 'https://api.example/mcp',
  scope: null,
  client: { clientId: 'c', secret: null },
  since: 1,
})

/** An issuer that rotates refresh tokens, and ends a grant whose refresh token is used twice, as OAuth 2.1 has it. */
function createIssuer() {
  let count = 0
  let valid = 'r0'
  const used: string[] = []
  const state = { isDown: false }
  return {
    used,
    state,
    async refresh({ tokens: { refreshToken } }: Grant): Promise<Tokens> {
      await new Promise((resolve) => setImmediate(resolve))
      if (state.isDown) throw new JunctorError('BACKEND_UNREACHABLE', 'down')
      used.push(String(refreshToken))
      if (refreshToken !== valid) throw new JunctorError('BACKEND_REFUSED', 'no', { cause: 'invalid_grant' })
      count += 1
      valid = `r${count}`
      return { accessToken: `a${count}`, refreshToken: valid, expires: null, scope: null }
    },
  }
}

async function setUp(nodes: number) {
  const fabric = createMemoryFabric(createMemoryBus())
  const issuer = createIssuer()
  const store = fabric.store<GrantRecord>('grants', 1_000_000)
  const all = Array.from({ length: nodes }, () =>
    createGrants({
      store,
      seal: fabric.seal,
      changed: async () => {},
      refresh: (grant) => issuer.refresh(grant),
      now: Date.now,
    }),
  )
  const [first] = all as [Grants, ...Grants[]]
  await first.put(ada, grantOf('a0', 'r0'))
  return { fabric, issuer, store, all, first }
}

async function recordOf(store: Store<GrantRecord>, name: string): Promise<GrantRecord> {
  const stored = await store.get(name)
  if (stored === undefined) throw new Error('expected a record')
  return stored.value
}

it('renews once for all links of all nodes', async () => {
  const { fabric, issuer, all } = await setUp(3)
  const renewed = await Promise.all(all.flatMap((grants) => [grants.renew(ada, 'a0'), grants.renew(ada, 'a0')]))
  expect(new Set(renewed.map((grant) => grant?.tokens.accessToken))).toEqual(new Set(['a1']))
  expect(issuer.used).toEqual(['r0'])
  await fabric.close()
})

it('keeps a grant while the issuer is down, and ends it when the issuer has ended it', async () => {
  const { fabric, issuer, first } = await setUp(1)
  issuer.state.isDown = true
  await expect(first.renew(ada, 'a0')).rejects.toThrow('down')
  issuer.state.isDown = false
  expect((await first.renew(ada, 'a0'))?.tokens.accessToken).toBe('a1')
  await first.put(ada, grantOf('stolen', 'r0'))
  expect(await first.renew(ada, 'stolen')).toBeUndefined()
  expect(await first.read(ada)).toBeUndefined()
  await first.put(ada, grantOf('plain', null))
  expect(await first.renew(ada, 'plain')).toBeUndefined()
  expect(await first.read(ada)).toBeUndefined()
  await fabric.close()
})

it('does not read a record of one person for another one, or one that cannot be read', async () => {
  const { fabric, store, first } = await setUp(1)
  const [name = ''] = await store.keys('')
  const record = await recordOf(store, name)
  await first.put(bob, grantOf('b0', null))
  const other = (await store.keys('')).find((key) => key !== name) ?? ''
  await store.put(other, record)
  expect(await first.read(bob)).toBeUndefined()
  await store.put(name, { sealed: 'AAAA', renewingUntil: null })
  expect(await first.read(ada)).toBeUndefined()
  expect(JSON.stringify(record)).not.toMatch(/accessToken|as\.example/)
  await fabric.close()
})

it('takes over from a node that was killed while it renewed', async () => {
  const { fabric, issuer, store, first } = await setUp(1)
  const [name = ''] = await store.keys('')
  await store.put(name, { ...(await recordOf(store, name)), renewingUntil: Date.now() + 50 })
  expect((await first.renew(ada, 'a0'))?.tokens.accessToken).toBe('a1')
  expect(issuer.used).toEqual(['r0'])
  await fabric.close()
})

it('never uses a refresh token twice, in any order of renewals, ends and new agreements', async () => {
  const step = fc.record({ node: fc.nat(2), what: fc.constantFrom('renew', 'renew', 'renew', 'end', 'read') })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 5 }), async (rounds) => {
      const { fabric, issuer, all, first } = await setUp(3)
      for (const round of rounds) {
        // oxlint-disable-next-line no-await-in-loop -- rounds follow each other
        const now = (await first.read(ada))?.tokens.accessToken ?? 'a0'
        // oxlint-disable-next-line no-await-in-loop -- see above
        await Promise.all(
          round.map(({ node, what }) => {
            const grants = all[node] ?? first
            if (what === 'renew') return grants.renew(ada, now)
            return what === 'end' ? grants.end(ada) : grants.read(ada)
          }),
        )
      }
      expect(issuer.used.length).toBe(new Set(issuer.used).size)
      await fabric.close()
    }),
  )
})
