import type { Fabric } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { expect, it, vi } from 'vitest'
import { createHomeSearch } from './home-search.ts'

const host = { nextId: () => 'x', now: Date.now, asked() {}, answered() {}, closed() {} }

/** Nodes that each know the homes of some sessions; the first node asks the others. */
async function start(...known: Record<string, ((self: string) => string) | undefined>[]) {
  const bus = createMemoryBus()
  const fabrics = known.map(() => createMemoryFabric(bus))
  const searches = fabrics.map((fabric: Fabric, index) =>
    createHomeSearch({
      fabric,
      host,
      unreadable: expect.unreachable,
      gateways: () => fabrics.filter((other) => other !== fabric).map(({ node }) => node),
      mayNotKnowAll: () => false,
      homeOf: (id) => known[index]?.[id]?.(fabric.node),
    }),
  )
  await Promise.all(searches.map((search) => search.serve()))
  const find = async (ids: string[]): Promise<Record<string, string>> =>
    Object.fromEntries((await searches[0]?.find(ids, 'lost0000')) ?? [])
  return { bus, fabrics, find }
}

it('finds sessions at the nodes that have them, and prefers the answer of the home node', async () => {
  const { find, fabrics } = await start(
    {},
    { one: () => 'old00000', two: (self) => self, four: () => 'lost0000' },
    { one: (self) => self, three: () => 'far00000' },
    { one: () => 'old00000' },
  )
  expect(await find(['one', 'two', 'three', 'four', 'five'])).toEqual({
    one: fabrics[2]?.node,
    two: fabrics[1]?.node,
    three: 'far00000',
  })
})

it('searches for more sessions than fit into one message', async () => {
  const ids = Array.from({ length: 2_500 }, (_, id) => `s_${id}`)
  const { find, fabrics } = await start({}, Object.fromEntries(ids.map((id) => [id, (self: string) => self])))
  expect(Object.keys(await find(ids))).toHaveLength(2_500)
  expect((await find(['s_2499']))['s_2499']).toBe(fabrics[1]?.node)
})

it('treats a node that has left as one without sessions', async () => {
  const { find, fabrics } = await start({}, { one: (self) => self }, { two: (self) => self })
  await fabrics[2]?.close()
  expect(await find(['one', 'two'])).toEqual({ one: fabrics[1]?.node })
})

it('rejects when a node does not answer, because that node may have the session', async () => {
  const bus = createMemoryBus()
  const [asking, silent] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  await silent.serve('$homes', () => new Promise(() => {}))
  const parts = {
    fabric: asking,
    host,
    unreadable: expect.unreachable,
    homeOf: () => undefined,
  }
  vi.useFakeTimers()
  try {
    const known = createHomeSearch({ ...parts, gateways: () => [silent.node], mayNotKnowAll: () => false })
    // A node that this node has not heard of may be there all the same.
    const unknown = createHomeSearch({ ...parts, gateways: () => [], mayNotKnowAll: () => true })
    for (const found of [known.find(['one'], 'lost0000'), unknown.find(['one'], silent.node)]) {
      void vi.advanceTimersByTimeAsync(2_000)
      await expect(found).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
    }
    const late = createHomeSearch({ ...parts, gateways: () => [], mayNotKnowAll: () => false })
    expect(await late.find(['one'], silent.node)).toEqual(new Map())
  } finally {
    vi.useRealTimers()
  }
})

it('asks the node that seemed lost while it may only be unknown', async () => {
  const bus = createMemoryBus()
  const [asking, home] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const parts = { host, unreadable: expect.unreachable, gateways: () => [], mayNotKnowAll: () => true }
  await createHomeSearch({ ...parts, fabric: home, homeOf: (id) => (id === 'one' ? home.node : undefined) }).serve()
  const search = createHomeSearch({ ...parts, fabric: asking, homeOf: () => undefined })
  expect(await search.find(['one', 'two'], home.node)).toEqual(new Map([['one', home.node]]))
  expect(await search.find(['one'], 'lost0000')).toEqual(new Map())
})
