import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { expect, it, onTestFinished } from 'vitest'
import { createOfferedLinks } from './offered-links.ts'
import { createSingleUse, type SingleUseRecord } from './single-use.ts'

interface Ticket {
  readonly person: string
  readonly scope: string | null
}

function setUp() {
  const fabric = createMemoryFabric(createMemoryBus())
  onTestFinished(() => fabric.close())
  const store = fabric.store<SingleUseRecord>('steps', 600_000)
  const tickets = createSingleUse('ticket', store, fabric.seal, (data) => data as Ticket)
  const clock = { now: 0 }
  const links = createOfferedLinks(tickets, () => clock.now)
  return { store, tickets, clock, links }
}

const ada: Ticket = { person: 'ada', scope: null }

it('gives out one link as long as it was not used, however often it is asked', async () => {
  const { store, tickets, links } = setUp()
  const first = await links.secretFor(ada)
  for (let count = 0; count < 100; count += 1) expect(await links.secretFor({ ...ada })).toBe(first)
  expect(await store.keys('')).toHaveLength(1)
  expect(await tickets.take(first)).toEqual(ada)
  const second = await links.secretFor(ada)
  expect(second).not.toBe(first)
  expect(await tickets.take(second)).toEqual(ada)
})

it('gives out a new one after a minute, and for everybody else', async () => {
  const { tickets, clock, links } = setUp()
  const all = [await links.secretFor(ada)]
  clock.now = 60_000
  all.push(await links.secretFor(ada))
  all.push(await links.secretFor({ ...ada, scope: 'more' }))
  all.push(await links.secretFor({ ...ada, person: 'bob' }))
  expect(new Set(all).size).toBe(4)
  expect(await Promise.all(all.map((secret) => tickets.take(secret)))).toEqual([
    ada,
    ada,
    { person: 'ada', scope: 'more' },
    { person: 'bob', scope: null },
  ])
})
