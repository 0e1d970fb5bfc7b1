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
    finishAccepted: () => after(50),
    leave: () => Promise.reject(broken),
    drain: async () => void done.push('drained'),
  }
  await drainGateway(gateway, new Set([{ close: async () => void done.push('closed') }]), 1)
  expect(reportError.mock.calls).toEqual([['timer', broken]])
  expect(done).toEqual(['closed', 'drained', 'drained'])
})
