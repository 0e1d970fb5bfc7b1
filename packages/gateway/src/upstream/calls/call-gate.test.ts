import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CallContext } from '@junctor/exchange'
import { createRequest, recordExchange } from '@junctor/testkit'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { Call } from './call.ts'
import { type Admission, CallGate } from './call-gate.ts'

function setUp(entry: Partial<BackendEntry>, callsOfPrincipal = 100) {
  const clock = createManualClock()
  const { entry: backend } = createTestBackend({ timeoutMs: 1_000, ...entry })
  const { session } = createHome('a', tenantOf([backend]), createTestPool(clock))
  const gate = new CallGate(clock, callsOfPrincipal)
  const callOf = (subject: string, more: Partial<CallContext> = {}, method = 'tools/call'): Call => {
    const principal = { issuer: 'https://id.test', subject, key: `id|${subject}` }
    const context = { ...session.context, principal, ...more }
    const request = createRequest(method, { name: 'echo' })
    const { exchange } = recordExchange({ request, init: { context, deadline: Infinity } })
    return new Call(session, request, exchange)
  }
  return { clock, backend, gate, callOf, session }
}

it('lets any number of calls to a backend without a bound', () => {
  const { gate, backend, callOf } = setUp({})
  expect(Array.from({ length: 99 }, () => gate.enter(callOf('ada'), backend))).not.toContain('backend_full')
})

it('lets calls in up to the bound, others in their turn, and refuses what does not fit', async () => {
  const { gate, backend, callOf } = setUp({ concurrency: 1, queue: 4 })
  const first = callOf('ada')
  expect(gate.enter(first, backend)).toBe('admitted')
  const order: string[] = []
  const enter = async (name: string): Promise<Admission> => {
    const call = callOf(name)
    const admission = await gate.enter(call, backend)
    order.push(`${name} ${admission}`)
    if (admission === 'admitted') gate.leave(call, backend)
    return admission
  }
  const all = [enter('ada'), enter('ada'), enter('ada'), enter('ada'), enter('bob'), enter('cy')]
  expect(gate.waiting(backend)).toBe(4)
  gate.leave(first, backend)
  await Promise.all(all)
  // One caller may have three of four places, and callers take turns.
  expect(order).toEqual([
    'ada backend_full',
    'cy backend_full',
    'ada admitted',
    'bob admitted',
    'ada admitted',
    'ada admitted',
  ])
  expect(gate.enter(first, backend)).toBe('admitted')
})

it('refuses a call that has waited as long as a call of the backend may take', async () => {
  const { gate, backend, callOf, clock } = setUp({ concurrency: 1 })
  expect(gate.enter(callOf('ada'), backend)).toBe('admitted')
  const waiting = gate.enter(callOf('ada'), backend)
  clock.advance(999)
  expect(gate.waiting(backend)).toBe(1)
  clock.advance(1)
  expect(await waiting).toBe('backend_full')
  expect([gate.waiting(backend), clock.waiting]).toEqual([0, 0])
})

it('does not give the place to a call that ended in the same moment', async () => {
  const { gate, backend, callOf } = setUp({ concurrency: 1 })
  const [first, gone, last] = [callOf('ada'), callOf('bob'), callOf('cy')] as const
  expect(gate.enter(first, backend)).toBe('admitted')
  const admissions = [gate.enter(gone, backend), gate.enter(last, backend)].map(async (one) => one)
  ;(gone.exchange as ReturnType<typeof recordExchange>['exchange']).end('cancelled')
  gate.leave(first, backend)
  expect(await Promise.all(admissions)).toEqual(['ended', 'admitted'])
})

it('does not let a call of a call wait for it, nor a subscription use up a place', () => {
  const { gate, backend, callOf } = setUp({ concurrency: 1, queue: 0 })
  expect(gate.enter(callOf('ada'), backend)).toBe('admitted')
  expect(gate.enter(callOf('ada', { chain: ['files:echo'] }), backend)).toBe('admitted')
  expect(gate.enter(callOf('ada', {}, 'subscriptions/listen'), backend)).toBe('admitted')
  expect(gate.enter(callOf('ada'), backend)).toBe('backend_full')
})

it('bounds the calls of one principal over all backends, but not jobs and callers without credentials', () => {
  const { gate, backend, callOf, session } = setUp({}, 2)
  const { entry: other } = createTestBackend()
  const one = callOf('ada')
  expect([gate.enter(one, backend), gate.enter(callOf('ada'), other)]).toEqual(['admitted', 'admitted'])
  expect(gate.enter(callOf('ada'), backend)).toBe('principal_full')
  expect(gate.enter(callOf('bob'), backend)).toBe('admitted')
  expect(gate.enter(callOf('ada', { job: 'j_1' }), backend)).toBe('admitted')
  const nameless = { issuer: 'anonymous', subject: '', key: 'anonymous' }
  expect(Array.from({ length: 5 }, () => gate.enter(callOf('', { principal: nameless }), backend))).toEqual(
    Array.from({ length: 5 }, () => 'admitted'),
  )
  gate.leave(one, backend)
  expect(gate.enter(callOf('ada'), other)).toBe('admitted')
  expect(session.ended).toBe(false)
})

const step = fc.record({
  act: fc.constantFrom('enter' as const, 'enter' as const, 'leave' as const, 'end' as const, 'wait' as const),
  who: fc.constantFrom('ada', 'bob', 'cy'),
  at: fc.nat(20),
})

it('never exceeds a bound, loses no place and no call, whatever happens in which order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 3 }), async (steps, concurrency) => {
      const { gate, backend, callOf, clock } = setUp({ concurrency, queue: 4 }, 5)
      const running: Call[] = []
      const waiting = new Set<Call>()
      const enter = async (call: Call): Promise<void> => {
        const admission = gate.enter(call, backend)
        if (admission instanceof Promise) waiting.add(call)
        const settled = await admission
        waiting.delete(call)
        if (settled === 'admitted') running.push(call)
      }
      const settle = async (): Promise<void> => {
        for (let turn = 0; turn < 6; turn += 1) await Promise.resolve()
      }
      for (const { act, who, at } of steps) {
        if (act === 'enter') void enter(callOf(who))
        if (act === 'wait') clock.advance(at * 50)
        const [ending] = [...waiting].slice(at % Math.max(1, waiting.size))
        if (act === 'end') (ending?.exchange as { end?: (reason: string) => void } | undefined)?.end?.('cancelled')
        const [leaving] = act === 'leave' ? running.splice(at % Math.max(1, running.length), 1) : []
        if (leaving !== undefined) gate.leave(leaving, backend)
        await settle()
        expect(running.length).toBeLessThanOrEqual(concurrency)
        expect(gate.waiting(backend)).toBe(waiting.size)
        // Nobody waits beside a free place.
        expect(running.length === concurrency || waiting.size === 0).toBe(true)
      }
      for (const call of running.splice(0)) gate.leave(call, backend)
      await settle()
      clock.advance(1_000)
      await settle()
      for (const call of running.splice(0)) gate.leave(call, backend)
      await settle()
      expect([gate.waiting(backend), clock.waiting, waiting.size]).toEqual([0, 0, 0])
      const after = Array.from({ length: concurrency }, () => gate.enter(callOf('ada'), backend))
      expect(after.every((admission) => admission === 'admitted')).toBe(true)
    }),
  )
})
