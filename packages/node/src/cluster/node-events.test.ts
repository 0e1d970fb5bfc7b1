import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { askNode, nodeContext } from '@junctor/gateway'
import type { JsonValue } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { serveNodeEvents } from './node-events.ts'

test.each<[string, JsonValue, string]>([
  ['without a tenant', { asked: {} }, 'tenant: '],
  ['for a tenant of another form', { tenant: 7, asked: {} }, 'tenant: '],
  ['of another form', { tenant: 'acme', asked: [] }, 'asked: '],
])('a query %s of another node is refused and reported, and no events are read', async (_what, body, problem) => {
  const bus = createMemoryBus()
  const [fabric, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const reported: unknown[] = []
  await serveNodeEvents(fabric, { query: expect.unreachable }, (...about) => void reported.push(about))
  const answer = await askNode(
    { fabric: other, host: { nextId: () => '1' }, unreadable: expect.unreachable },
    { node: fabric.node, service: '$events', context: nodeContext, body, answer: z.unknown(), withinMs: 5_000 },
  )
  expect(answer).toEqual({ kind: 'silent' })
  expect(reported).toEqual([['request', '$events', expect.stringContaining(problem)]])
})
