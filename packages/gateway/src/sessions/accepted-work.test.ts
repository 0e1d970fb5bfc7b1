import { silentLog } from '@junctor/contracts'
import { expect, test } from 'vitest'
import { createDeadlines } from '../shared/deadlines.ts'
import type { HomeSession } from './home-session.ts'
import { createAcceptedWork } from './accepted-work.ts'

test('a node that never confirms a session delays the leaving node for no longer than the grace', async () => {
  const clock = { now: Date.now, deadlines: createDeadlines(Date.now, () => {}) }
  const session = { transport: 'http', isOwed: true } as HomeSession
  const asked: unknown[] = []
  const promises = createAcceptedWork({
    handover: {
      successors: async () => ['other'],
      handOver: (one) => {
        asked.push(one)
        return new Promise<boolean>(() => {})
      },
    },
    table: { homes: () => [session] },
    desk: { refuseMore() {}, open: 0 },
    runner: { drain: async () => {}, isAtRest: true },
    deliveries: { settled: async () => {}, leave() {} },
    clock,
    log: silentLog,
  })
  await promises.keep(50)
  expect(asked).toEqual([session])
  clock.deadlines.close()
})

test.each([[['other'], true] as const, [[], false] as const])(
  'when a node leaves, its deliveries are notified whether another stays: %j',
  async (successors, stays) => {
    const clock = { now: Date.now, deadlines: createDeadlines(Date.now, () => {}) }
    const calls: unknown[] = []
    const promises = createAcceptedWork({
      handover: { successors: async () => successors, handOver: async () => true },
      table: { homes: () => [] },
      desk: { refuseMore: () => void calls.push('refuse more'), open: 0 },
      runner: { drain: async () => {}, isAtRest: true },
      deliveries: { settled: async () => {}, leave: (any) => void calls.push(any) },
      clock,
      log: silentLog,
    })
    await promises.keep(5_000)
    expect(calls).toEqual(stays ? [true] : [false, 'refuse more'])
    clock.deadlines.close()
  },
)
