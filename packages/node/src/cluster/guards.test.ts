import type { Caught, NodeChange } from '@junctor/contracts'
import { silentLog } from '@junctor/contracts'
import { eventually } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { announceNode } from './announce-node.ts'
import { createNodeTable } from './node-table.ts'
import { watchPolicies } from './watch-policies.ts'

const broken = new Error('broken')
const breaks = (): never => {
  throw broken
}

/** One that breaks whoever reads what it says of itself, and one that says nothing. */
const fabric = {
  node: 'own',
  async *nodes(): AsyncGenerator<NodeChange, void> {
    const about = new Proxy({}, { get: breaks, ownKeys: breaks, has: breaks })
    yield { kind: 'joined', node: 'broken', about }
    yield { kind: 'joined', node: 'other', about: {} }
  },
}

/** One whose list of nodes breaks. */
const lost = {
  node: 'own',
  // oxlint-disable-next-line require-yield -- it breaks before
  async *nodes(): AsyncGenerator<NodeChange, void> {
    breaks()
  },
}

function listen(): { readonly told: unknown[]; readonly caught: Caught } {
  const told: unknown[] = []
  return { told, caught: (...args) => void told.push(args) }
}

test('a node whose words cannot be read keeps no other from being known', async () => {
  const { told, caught } = listen()
  const table = createNodeTable(fabric, caught)
  await eventually(() => expect(table.others()).toEqual(['other']))
  expect(told).toEqual([['control', broken, { node: 'broken' }]])
  table.close()
})

test.each([
  ['the table of nodes', (caught: Caught) => createNodeTable(lost, caught)],
  ['the watch of policies', (caught: Caught) => watchPolicies(lost, silentLog, caught)],
])('%s that cannot follow the nodes any more is told', async (_what, follow) => {
  const { told, caught } = listen()
  const following = follow(caught)
  await eventually(() => expect(told).toEqual([['control', broken]]))
  await following.close()
})

test('a node whose policy cannot be read is told', async () => {
  const { told, caught } = listen()
  const watching = watchPolicies(fabric, silentLog, caught)
  await eventually(() => expect(told).toEqual([['control', broken, { node: 'broken' }]]))
  await watching.close()
})

test('what breaks an announcement is told', async () => {
  const { told, caught } = listen()
  const announcing = announceNode({ announce: breaks }, breaks, caught)
  announcing.now()
  expect(told).toEqual([
    ['timer', broken],
    ['timer', broken],
  ])
  await announcing.close()
})
