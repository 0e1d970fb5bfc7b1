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
    gateways: () => [silent.node],
    homeOf: () => undefined,
  }
  vi.useFakeTimers()
  try {
    const found = createHomeSearch(parts).find(['one'], 'lost0000')
    void vi.advanceTimersByTimeAsync(2_000)
    await expect(found).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
  } finally {
    vi.useRealTimers()
  }
})
