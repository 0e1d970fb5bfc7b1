import type { Identity, PostResult } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { mcpProfile } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { nodeContext } from '../nodes/node-context.ts'
import { serviceNames } from '../nodes/service-names.ts'
import { errorOutcome } from '../shared/errors.ts'
import { nodeId } from '../shared/node-id.ts'
import { createSharedEndpoints } from './shared-endpoints.ts'

const identity: Identity = {
  kind: 'identity',
  principal: { issuer: 'local', subject: 'ada', key: 'local ada' },
  tenant: { name: 'default', profile: mcpProfile },
}
const body = Buffer.from('hello')

/** Posts to an address of another node. */
async function post(isPresent: boolean, serves?: () => Outcome): Promise<PostResult> {
  const bus = createMemoryBus()
  const [fabric, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  if (serves !== undefined) await other.serve(serviceNames.post, serves)
  const { messageEndpoints } = createSharedEndpoints({
    fabric,
    host: { nextId: () => nodeId(fabric.node, '0') },
    sessionless: { context: () => nodeContext },
    tenant: () => identity.tenant,
    isPresent: () => Promise.resolve(isPresent),
    unreadable() {},
  })
  return messageEndpoints.post(nodeId(other.node, 'address'), identity, body)
}

test('an address of a node that is gone is unknown', async () => {
  expect(await post(false)).toBe('unknown')
})

test('a node that is still there, but does not answer, has not lost the connections of its clients', async () => {
  // Its connection to the bus is interrupted; it is lost while the message is on its way; it does not answer in time.
  expect(await post(true)).toBe('unreachable')
  for (const situation of ['backend_exited', 'deadline_exceeded', 'fabric_unavailable'] as const) {
    expect(await post(true, () => errorOutcome(nodeContext, situation))).toBe('unreachable')
  }
})
