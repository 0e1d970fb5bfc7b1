import { setTimeout as after } from 'node:timers/promises'
import type { ErrorReporter, Front } from '@junctor/contracts'
import { expect, test, vi } from 'vitest'
import { drainGateway } from './drain-gateway.ts'

test('an error at the end of the grace period is reported, and the drain continues', async () => {
  const broken = new Error('broken')
  const reportError = vi.fn<ErrorReporter>()
  const done: string[] = []
  const gateway = {
    front: { reportError } as unknown as Front,
    endWaiting() {},
    finishAccepted: () => after(50),
    leave: () => Promise.reject(broken),
    drain: async () => void done.push('drained'),
  }
  await drainGateway(gateway, new Set([{ close: async () => void done.push('closed') }]), 1)
  expect(reportError.mock.calls).toEqual([['timer', broken]])
  expect(done).toEqual(['closed', 'drained', 'drained'])
})

test('requests end with an error before fronts cut them off, also when accepted work took the whole grace period', async () => {
  const done: string[] = []
  const gateway = {
    front: {} as Front,
    endWaiting() {},
    finishAccepted: async () => {
      // The timer of the grace period is due, and has not fired yet.
      const began = performance.now()
      while (performance.now() - began < 5);
    },
    leave: async () => void done.push('left'),
    drain: () => Promise.resolve(),
  }
  const close = async (ms: number): Promise<void> => {
    if (ms > 0) await after(ms)
    done.push('closed')
  }
  await drainGateway(gateway, new Set([{ close }]), 1)
  expect(done).toEqual(['left', 'closed'])
})
