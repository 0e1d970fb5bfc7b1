import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { eventually } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { createReconnectClock } from './reconnect-clock.ts'
import { watchNodes } from './present-nodes.ts'

it('knows the present nodes, asks one that it does not know yet, and reports nodes that leave', async () => {
  const bus = createMemoryBus()
  const [here, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const left: string[] = []
  const nodes = watchNodes(here, createReconnectClock(here), expect.unreachable)
  nodes.onLeft((node) => left.push(node))
  // No announcement has arrived yet.
  expect(await nodes.isPresent(other.node)).toBe(true)
  expect(await nodes.isPresent('nobody00')).toBe(false)
  await other.close()
  await eventually(() => expect(left).toEqual([other.node]))
  expect(await nodes.isPresent(other.node)).toBe(false)
  nodes.close()
})

it('waits for a node that may be reconnecting as this node was, and later for none', async () => {
  const bus = createMemoryBus()
  const here = createMemoryFabric(bus)
  let back = (): void => expect.unreachable()
  const fabric: Parameters<typeof watchNodes>[0] & Parameters<typeof createReconnectClock>[0] = {
    node: here.node,
    nodes: (signal) => here.nodes(signal),
    send: (node, control) => here.send(node, control),
    onReconnect(listener) {
      back = listener
      return () => {}
    },
  }
  const nodes = watchNodes(fabric, createReconnectClock(fabric), expect.unreachable)
  const comes = async (node: string): Promise<boolean> => {
    const found = nodes.isPresent(node)
    // The first question was sent, and no node has answered.
    await new Promise(setImmediate)
    const late = createMemoryFabric(bus, node)
    const isFound = await found
    await late.close()
    return isFound
  }
  expect(await comes('late0001')).toBe(true)
  expect(await nodes.isPresent('nobody00')).toBe(false)
  const began = performance.now()
  expect(await nodes.isPresent('nobody00')).toBe(false)
  expect(performance.now() - began).toBeLessThan(1_000)
  back()
  expect(await comes('late0002')).toBe(true)
  nodes.close()
})
