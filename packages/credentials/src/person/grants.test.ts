import type { Store } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Grant } from './grant.ts'
import type { SendRefresh } from './consent.ts'
import { createGrants, type GrantRecord, type Grants } from './grants.ts'
import { recordName } from './person.ts'

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

/**
 * An issuer that rotates refresh tokens, and ends a grant whose refresh token is used twice, as OAuth 2.1 has it. The end of a
 * token that was used before ends nothing.
 */
function createIssuer() {
  let count = 0
  let valid: string | undefined = 'r0'
  const used: string[] = []
  const state = {
    isDown: false,
    repeatsTokens: false,
    asked: 0,
    prepared: Promise.resolve(),
    beforeAnswer: async () => {},
  }
  return {
    used,
    state,
    /** Whether it would still renew something. */
    get isLive() {
      return valid !== undefined
    },
    /** A person agrees. */
    agree(): Grant {
      count += 1
      valid = `r${count}`
      return grantOf(`a${count}`, valid)
    },
    async prepareRefresh({ tokens: { refreshToken } }: Grant): Promise<SendRefresh> {
      await new Promise((resolve) => setImmediate(resolve))
      await state.prepared
      state.asked += 1
      if (state.isDown) throw new JunctorError('BACKEND_UNREACHABLE', 'down')
      return async () => {
        await new Promise((resolve) => setImmediate(resolve))
        used.push(String(refreshToken))
        if (refreshToken !== valid) throw new JunctorError('BACKEND_REFUSED', 'no', { cause: 'invalid_grant' })
        count += 1
        valid = `r${count}`
        const accessToken = state.repeatsTokens ? 'a0' : `a${count}`
        const tokens = { accessToken, refreshToken: valid, expires: null, scope: null }
        await state.beforeAnswer()
        return tokens
      }
    },
    async revoke({ tokens: { refreshToken } }: Grant): Promise<void> {
      await new Promise((resolve) => setImmediate(resolve))
      if (refreshToken === valid) valid = undefined
    },
  }
}

/** @param skews how far the clock of each node is ahead, in milliseconds */
async function setUp(nodes: number, skews: readonly number[] = []) {
  const fabric = createMemoryFabric(createMemoryBus())
  const issuer = createIssuer()
  const inner = fabric.store<GrantRecord>('grants', 1_000_000)
  // `delays`: how many turns the next operations of the store take, again and again.
  const faults = { puts: 0, delays: [0], reads: 0 }
  let operations = 0
  const turns = async (): Promise<void> => {
    const { delays } = faults
    operations += 1
    for (let left = delays[operations % delays.length] ?? 0; left > 0; left -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- one turn after the other
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const store: Store<GrantRecord> = {
    async get(key) {
      await turns()
      faults.reads += 1
      return inner.get(key)
    },
    async put(key, value, revision) {
      await turns()
      if (faults.puts-- > 0) throw new JunctorError('FABRIC_UNAVAILABLE', 'no storage')
      return inner.put(key, value, revision)
    },
    delete: (key) => inner.delete(key),
    keys: (prefix) => inner.keys(prefix),
  }
  const changes: number[] = []
  const clock = { aheadMs: 0 }
  const all = Array.from({ length: nodes }, (_, node) =>
    createGrants({
      serverUrl: 'https://api.example/mcp',
      store,
      seal: fabric.seal,
      changed: async () => void changes.push(issuer.used.length),
      consent: issuer,
      now: () => Date.now() + clock.aheadMs + (skews[node] ?? 0),
    }),
  )
  const [first] = all as [Grants, ...Grants[]]
  await first.put(ada, grantOf('a0', 'r0'))
  return { fabric, issuer, store, faults, changes, clock, all, first }
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

it('renews once at an issuer that gives the same access token again, for longer', async () => {
  const { fabric, issuer, all } = await setUp(2)
  issuer.state.repeatsTokens = true
  issuer.state.beforeAnswer = async () => {
    if (issuer.used.length > 2) issuer.state.isDown = true
  }
  const renewed = await Promise.all(all.map((grants) => grants.renew(ada, 'a0')))
  expect(renewed.map((grant) => grant?.tokens.refreshToken)).toEqual(['r1', 'r1'])
  expect(issuer.used).toEqual(['r0'])
  await fabric.close()
})

it('keeps a grant that is used, also when it is never renewed', async () => {
  const { fabric, store, clock, first } = await setUp(1)
  const name = recordName(ada)
  await first.put(ada, { ...grantOf('a0', null), since: Date.now() })
  const revision = async () => (await store.get(name))?.revision
  const before = await revision()
  await first.read(ada)
  expect(await revision()).toBe(before)
  // The storage forgets what was not written for 90 days.
  clock.aheadMs = 31 * 24 * 60 * 60 * 1000
  expect(await first.read(ada)).toMatchObject({ tokens: { accessToken: 'a0' } })
  const after = await revision()
  expect(after).toBeGreaterThan(before ?? 0)
  expect(await first.read(ada)).not.toHaveProperty('renewed')
  expect(await revision()).toBe(after)
  // Not while a node renews it.
  await store.put(name, { ...(await recordOf(store, name)), renewingUntil: Date.now() + 3 * clock.aheadMs })
  const claimed = await revision()
  clock.aheadMs *= 2
  await first.read(ada)
  expect(await revision()).toBe(claimed)
  await fabric.close()
})

it('keeps a grant while the issuer is down, and ends it when the issuer has ended it', async () => {
  const { fabric, issuer, clock, first } = await setUp(1)
  issuer.state.isDown = true
  await expect(first.renew(ada, 'a0')).rejects.toThrow('down')
  issuer.state.isDown = false
  clock.aheadMs = 1_000
  expect((await first.renew(ada, 'a0'))?.tokens.accessToken).toBe('a1')
  await first.put(ada, grantOf('stolen', 'r0'))
  expect(await first.renew(ada, 'stolen')).toBeUndefined()
  expect(await first.read(ada)).toBeUndefined()
  await first.put(ada, grantOf('plain', null))
  expect(await first.renew(ada, 'plain')).toBeUndefined()
  expect(await first.read(ada)).toBeUndefined()
  await fabric.close()
})

it('does not ask an issuer that has failed with every call that needs a token', async () => {
  const { fabric, issuer, clock, first } = await setUp(1)
  await first.put(bob, grantOf('b0', 'r0'))
  issuer.state.isDown = true
  const failed = async () => {
    const all = await Promise.allSettled([first.renew(ada, 'a0'), first.renew(ada, 'a0')])
    expect(all).toMatchObject([
      { reason: { code: 'BACKEND_UNREACHABLE' } },
      { reason: { code: 'BACKEND_UNREACHABLE' } },
    ])
  }
  await failed()
  await failed()
  expect(issuer.state.asked).toBe(1)
  // Another grant of the same issuer may be good.
  await expect(first.renew(bob, 'b0')).rejects.toThrow('down')
  expect(issuer.state.asked).toBe(2)
  clock.aheadMs = 1_000
  await failed()
  expect(issuer.state.asked).toBe(3)
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

it.each([0, 90_000, -90_000])(
  'takes over from a node that was killed while it renewed, with %d ms between them',
  async (skew) => {
    const { fabric, issuer, store, faults, clock, first } = await setUp(1)
    const name = recordName(ada)
    await store.put(name, { ...(await recordOf(store, name)), renewingUntil: Date.now() + skew + 20_000 })
    const before = faults.reads
    const renewal = first.renew(ada, 'a0')
    while (faults.reads < before + 2) await new Promise((resolve) => setImmediate(resolve))
    expect(issuer.used).toEqual([])
    clock.aheadMs = 20_000
    expect((await renewal)?.tokens.accessToken).toBe('a1')
    expect(issuer.used).toEqual(['r0'])
    await fabric.close()
  },
)

it('does not wait for a node that was killed long ago', async () => {
  const { fabric, issuer, store, first } = await setUp(1)
  const name = recordName(ada)
  await store.put(name, { ...(await recordOf(store, name)), renewingUntil: Date.now() - 5 * 60_000 })
  expect((await first.renew(ada, 'a0'))?.tokens.accessToken).toBe('a1')
  expect(issuer.used).toEqual(['r0'])
  await fabric.close()
})

it('leaves nothing valid at the issuer when the person ends a grant while it is renewed', async () => {
  const { fabric, issuer, all, first } = await setUp(2)
  const [, other] = all as [Grants, Grants]
  // The issuer has renewed it, and its answer is on its way.
  issuer.state.beforeAnswer = () => other.end(ada)
  expect(await first.renew(ada, 'a0')).toBeUndefined()
  expect([await first.read(ada), await other.read(ada), issuer.isLive]).toEqual([undefined, undefined, false])
  await fabric.close()
})

it('keeps what the issuer has renewed when storage fails for a moment', async () => {
  const { fabric, issuer, faults, first } = await setUp(1)
  issuer.state.beforeAnswer = async () => {
    faults.puts = 2
  }
  expect((await first.renew(ada, 'a0'))?.tokens).toMatchObject({ accessToken: 'a1', refreshToken: 'r1' })
  expect((await first.read(ada))?.tokens.refreshToken).toBe('r1')
  expect(issuer.used).toEqual(['r0'])
  await fabric.close()
})

it('leaves nothing valid at the issuer when storage fails after a person has agreed', async () => {
  const { issuer, faults, first } = await setUp(1)
  const agreed = issuer.agree()
  faults.puts = 1
  await expect(first.put(ada, agreed)).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
  expect(issuer.isLive).toBe(false)
  expect(await first.read(ada)).toEqual(grantOf('a0', 'r0'))
})

it('tells all links when the issuer has ended a grant', async () => {
  const { fabric, issuer, changes, first } = await setUp(1)
  await first.put(ada, grantOf('stolen', 'old'))
  const before = changes.length
  expect(await first.renew(ada, 'stolen')).toBeUndefined()
  expect([changes.length, issuer.used]).toEqual([before + 1, ['old']])
  await fabric.close()
})

it('claims a grant only when nothing but the request itself is left to do', async () => {
  const { fabric, issuer, store, first } = await setUp(1)
  const [name = ''] = await store.keys('')
  const ready = Promise.withResolvers<void>()
  issuer.state.prepared = ready.promise
  const renewal = first.renew(ada, 'a0')
  // Metadata may take longer than a claim holds. Meanwhile another node may renew it.
  await new Promise((resolve) => setImmediate(resolve))
  expect((await recordOf(store, name)).renewingUntil).toBeNull()
  ready.resolve()
  expect((await renewal)?.tokens.accessToken).toBe('a1')
  await fabric.close()
})

it('never uses a refresh token twice, and leaves none valid after an end, in any order and by any clocks', async () => {
  const step = fc.record({ node: fc.nat(2), what: fc.constantFrom('renew', 'renew', 'end', 'read', 'fault') })
  const round = fc.oneof(
    { weight: 4, arbitrary: fc.array(step, { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.constant('agree' as const) },
  )
  const delays = fc.array(fc.nat(6), { minLength: 1, maxLength: 30 })
  const clocks = fc.array(fc.constantFrom(0, 90_000, -90_000), { minLength: 3, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 6 }), delays, clocks, async (rounds, turns, skews) => {
      const { fabric, issuer, faults, all, first } = await setUp(3, skews)
      faults.delays = turns
      for (const steps of rounds) {
        // oxlint-disable-next-line no-await-in-loop -- rounds follow each other
        if (steps === 'agree') await first.put(ada, issuer.agree())
        else {
          // oxlint-disable-next-line no-await-in-loop -- see above
          const now = (await first.read(ada))?.tokens.accessToken ?? 'a0'
          // oxlint-disable-next-line no-await-in-loop -- see above
          await Promise.allSettled(
            steps.map(({ node, what }) => {
              const grants = all[node] ?? first
              if (what === 'fault') issuer.state.beforeAnswer = async () => void (faults.puts = 1)
              if (what === 'renew') return grants.renew(ada, now)
              return what === 'end' ? grants.end(ada) : grants.read(ada)
            }),
          )
          issuer.state.beforeAnswer = async () => {}
          faults.puts = 0
        }
        // oxlint-disable-next-line no-await-in-loop -- see above
        const grant = await first.read(ada)
        expect(issuer.isLive).toBe(grant !== undefined)
        const known = grant?.tokens.refreshToken ?? ''
        expect(issuer.used).not.toContain(known)
      }
      expect(issuer.used.length).toBe(new Set(issuer.used).size)
      await fabric.close()
    }),
  )
})
