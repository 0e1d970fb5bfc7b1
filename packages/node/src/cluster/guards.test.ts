import { type ErrorReporter, type NodeChange, silentLog } from '@junctor/contracts'
import { eventually } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { announceNode } from './announce-node.ts'
import { createKnownNodes } from './known-nodes.ts'
import { watchPolicies } from './watch-policies.ts'

const broken = new Error('broken')
const breaks = (): never => {
  throw broken
}

/** A fabric with a node whose announcement cannot be read, and one without an announcement. */
const fabric = {
  node: 'own',
  async *nodes(): AsyncGenerator<NodeChange, void> {
    const about = new Proxy({}, { get: breaks, ownKeys: breaks, has: breaks })
    yield { kind: 'joined', node: 'broken', about }
    yield { kind: 'joined', node: 'other', about: {} }
  },
}

/** A fabric whose list of nodes fails. */
const lost = {
  node: 'own',
  // oxlint-disable-next-line require-yield -- it breaks before
  async *nodes(): AsyncGenerator<NodeChange, void> {
    breaks()
  },
}

function listen(): { readonly reported: unknown[]; readonly reportError: ErrorReporter } {
  const reported: unknown[] = []
  return { reported, reportError: (...args) => void reported.push(args) }
}

test('a node whose announcement cannot be read does not hide other nodes', async () => {
  const { reported, reportError } = listen()
  const table = createKnownNodes(fabric, reportError, expect.unreachable)
  await eventually(() => expect(table.others()).toEqual(['other']))
  expect(reported).toEqual([['control', broken, { node: 'broken' }]])
  table.close()
})

test.each([
  ['the table of nodes', (reportError: ErrorReporter) => createKnownNodes(lost, reportError, expect.unreachable)],
  ['the watch of policies', (reportError: ErrorReporter) => watchPolicies(lost, silentLog, reportError)],
])('%s reports that it cannot follow the nodes any more', async (_what, follow) => {
  const { reported, reportError } = listen()
  const following = follow(reportError)
  await eventually(() => expect(reported).toEqual([['control', broken]]))
  await following.close()
})

test('a node whose policy cannot be read is reported', async () => {
  const { reported, reportError } = listen()
  const watching = watchPolicies(fabric, silentLog, reportError)
  await eventually(() => expect(reported).toEqual([['control', broken, { node: 'broken' }]]))
  await watching.close()
})

test('an error of an announcement is reported', async () => {
  const { reported, reportError } = listen()
  const announcing = announceNode({ announce: breaks }, breaks, reportError)
  announcing.now()
  expect(reported).toEqual([
    ['timer', broken],
    ['timer', broken],
  ])
  await announcing.close()
})
