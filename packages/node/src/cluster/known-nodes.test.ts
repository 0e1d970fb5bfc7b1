import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { printNodeAbout } from '@junctor/gateway'
import { eventually } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { createKnownNodes } from './known-nodes.ts'

test('this node is first, then gateways and nodes without an announcement, then workers, each by name', async () => {
  const bus = createMemoryBus()
  const own = createMemoryFabric(bus, 'own')
  const table = createKnownNodes(own, expect.unreachable, expect.unreachable)
  const about = { name: 'any', version: '1.0.0', startedAt: '2026-01-01T00:00:00.000Z', backends: {} }
  for (const [node, role] of [
    ['d', 'gateway'],
    ['a', 'worker'],
    ['b', 'gateway'],
  ] as const) {
    createMemoryFabric(bus, node).announce(printNodeAbout({ role, ...about }))
  }
  const mute = createMemoryFabric(bus, 'c')
  await eventually(() => expect(table.all().map(({ node }) => node)).toEqual(['own', 'b', 'c', 'd', 'a']))
  expect(table.others()).toEqual(['a', 'b', 'c', 'd'])
  await mute.close()
  await eventually(() => expect(table.others()).toEqual(['a', 'b', 'd']))
  table.close()
})

test('an announcement that cannot be read is reported; a node that has announced nothing is not', async () => {
  const bus = createMemoryBus()
  const own = createMemoryFabric(bus, 'own')
  const reported: unknown[] = []
  const table = createKnownNodes(own, expect.unreachable, (...about) => void reported.push(about))
  createMemoryFabric(bus, 'mute')
  createMemoryFabric(bus, 'newer').announce({ role: 'console', name: 'n' })
  createMemoryFabric(bus, 'same').announce({ role: 'worker', zone: 'of a newer version' })
  await eventually(() => expect(table.all().map(({ about }) => about?.role)).toContain('worker'))
  expect(table.others()).toEqual(['mute', 'newer', 'same'])
  expect(reported).toEqual([['announcement', 'newer', expect.stringContaining('role')]])
  table.close()
})
