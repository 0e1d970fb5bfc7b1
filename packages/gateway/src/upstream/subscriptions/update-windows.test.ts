import { expect, it } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { addSubscriber } from './slot-subscriptions.ts'
import { UpdateWindows } from './update-windows.ts'

function setUp() {
  const clock = createManualClock()
  const { entry } = createTestBackend()
  const { session } = createHome('a', tenantOf([entry]), createTestPool(clock))
  const slot = session.slot(entry)
  const delivered: unknown[] = []
  const windows = new UpdateWindows((_slot, _uri, params) => void delivered.push(params.value()), 100, clock)
  return {
    clock,
    delivered,
    subscribe: (uri: string) => addSubscriber(slot, uri, session),
    update: (uri: string, n: number) => windows.updated(slot, uri, payloadOf({ uri, n })),
  }
}

it('many updates of a resource are delivered as the first and, for each interval, the last', () => {
  const { clock, delivered, subscribe, update } = setUp()
  subscribe('a')
  subscribe('b')
  for (let n = 0; n < 1_000; n += 1) update('a', n)
  update('b', 0)
  const first = [
    { uri: 'a', n: 0 },
    { uri: 'b', n: 0 },
  ]
  expect(delivered).toEqual(first)
  clock.advance(100)
  expect(delivered).toEqual([...first, { uri: 'a', n: 999 }])
  update('a', 1_000)
  expect(delivered).toHaveLength(3)
  clock.advance(100)
  expect(delivered.slice(3)).toEqual([{ uri: 'a', n: 1_000 }])
  clock.advance(100)
  expect(clock.waiting).toBe(0)
  update('a', 1_001)
  expect(delivered.slice(4)).toEqual([{ uri: 'a', n: 1_001 }])
})

it('an update of a resource without subscribers begins no interval', () => {
  const { clock, delivered, subscribe, update } = setUp()
  update('a', 0)
  expect(clock.waiting).toBe(0)
  subscribe('a')
  update('a', 1)
  expect(delivered).toEqual([{ uri: 'a', n: 1 }])
})
