import { setImmediate } from 'node:timers/promises'
import { silentLog } from '@junctor/contracts'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createDeadlines } from '../../shared/deadlines.ts'
import type { HomeSession } from '../session/home-session.ts'
import { type AcceptedWork, type AcceptedWorkParts, createAcceptedWork } from './accepted-work.ts'

/** The work of a node that waits for nothing, unless these parts do. Its clock ends with the test. */
function workOf(successors: readonly string[], parts: Partial<AcceptedWorkParts>): AcceptedWork {
  const clock = { now: Date.now, deadlines: createDeadlines(Date.now, () => {}) }
  onTestFinished(() => clock.deadlines.close())
  return createAcceptedWork({
    handover: { successors: async () => successors, handOver: async () => true },
    table: { homes: () => [] },
    desk: { refuseMore() {}, open: 0 },
    runner: { drain: async () => {}, isAtRest: true },
    deliveries: { settled: async () => {}, leave() {} },
    asks: { size: 0 },
    parked: { waiting: 0 },
    clock,
    log: silentLog,
    ...parts,
  })
}

test('a node that never confirms a session delays the leaving node for no longer than the grace', async () => {
  const session = { transport: 'http', awaitsAnswers: true } as HomeSession
  const asked: unknown[] = []
  const promises = workOf([], {
    handover: {
      successors: async () => ['other'],
      handOver: (one) => {
        asked.push(one)
        return new Promise<boolean>(() => {})
      },
    },
    table: { homes: () => [session] },
  })
  await promises.finish(50)
  // It is not handed over twice at the same time: what comes for it meanwhile waits for the first time.
  await promises.handOver(0)
  expect(asked).toEqual([session])
})

test.each([[['other'], true] as const, [[], false] as const])(
  'when a node leaves, its deliveries are notified whether another stays: %j',
  async (successors, stays) => {
    const calls: unknown[] = []
    const promises = workOf(successors, {
      desk: { refuseMore: () => void calls.push('refuse more'), open: 0 },
      deliveries: { settled: async () => {}, leave: (any) => void calls.push(any) },
    })
    await promises.finish(5_000)
    expect(calls).toEqual(stays ? [true] : [false, 'refuse more'])
  },
)

test.each([
  ['the only node waits for an answer to a question', [], { size: 1 }, { waiting: 0 }, true],
  ['the only node waits for a request that is parked', [], { size: 0 }, { waiting: 1 }, true],
  ['other nodes take the answer to a question', ['other'], { size: 1 }, { waiting: 0 }, false],
  ['other nodes pass on what is parked here', ['other'], { size: 0 }, { waiting: 1 }, true],
])('%s', async (_, successors, asks, parked, waits) => {
  const open = { asks: { ...asks }, parked: { ...parked } }
  const promises = workOf(successors, open)
  let isDone = false
  const finished = promises.finish(30_000).then(() => (isDone = true))
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  expect(isDone).toBe(!waits)
  open.asks.size = 0
  open.parked.waiting = 0
  await finished
})

test.each([
  ['time to end when another node stays', ['other'], 8_000],
  ['no such time when no node stays: no other one could take the answers of clients', [], 10_000],
])('the last requests that a leaving node takes have %s', async (_, successors, closesAt) => {
  const clock = createManualClock()
  const began = clock.now()
  // Clients send new requests all the time, which ask them.
  const work = workOf(successors, { parked: { waiting: 1 }, clock })
  const finished = work.finish(10_000).then(() => clock.now() - began)
  for (let ms = 0; ms < 12_000; ms += 20) {
    await setImmediate()
    clock.advance(20)
  }
  expect(Math.abs((await finished) - closesAt)).toBeLessThan(100)
})
