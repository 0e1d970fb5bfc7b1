import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { eventually } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { watchNodes } from './present-nodes.ts'

it('knows who is there, asks one that it has not heard of, and hears who leaves', async () => {
  const bus = createMemoryBus()
  const [here, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const left: string[] = []
  const nodes = watchNodes(here, (node) => left.push(node), expect.unreachable)
  // Nothing has been heard yet.
  expect(await nodes.isThere(other.node)).toBe(true)
  expect(await nodes.isThere('nobody00')).toBe(false)
  await other.close()
  await eventually(() => expect(left).toEqual([other.node]))
  expect(await nodes.isThere(other.node)).toBe(false)
  nodes.close()
})
