import { silentLog } from '@junctor/contracts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ForeignMessages } from './foreign-messages.ts'

test('they are logged immediately, then once a minute with their number, each kind separately', () => {
  const warn = vi.fn<typeof silentLog.warn>()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const foreign = new ForeignMessages({ ...silentLog, warn })
  for (let ms = 0; ms < 150_000; ms += 1_000) {
    foreign.add('sent', `subject.${ms}`)
    vi.advanceTimersByTime(1_000)
  }
  foreign.add('stored', 'elsewhere')
  expect(warn.mock.calls.map(([, fields]) => fields)).toEqual([
    { subject: 'subject.0', count: 1 },
    { subject: 'subject.60000', count: 60 },
    { subject: 'subject.120000', count: 60 },
    { subject: 'elsewhere', count: 1 },
  ])
  expect(foreign.counts).toEqual({ sent: 150, repeated: 0, stored: 1 })
})
