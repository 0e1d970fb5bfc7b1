import { expect, onTestFinished, test, vi } from 'vitest'
import { UnsentMessages } from './unsent-messages.ts'

const message = (subject: string, bytes = 1) => ({ subject, body: new Uint8Array(bytes), reply: '' })
const subjects = (unsent: UnsentMessages): string[] => unsent.take().map(({ subject }) => subject)

test('unsent messages are sent once, in order', () => {
  const unsent = new UnsentMessages()
  unsent.add(message('a'))
  unsent.add(message('b'))
  expect(subjects(unsent)).toEqual(['a', 'b'])
  expect(subjects(unsent)).toEqual([])
})

test('messages are not sent ten seconds late', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const unsent = new UnsentMessages()
  unsent.add(message('a'))
  vi.advanceTimersByTime(5_000)
  unsent.add(message('b'))
  vi.advanceTimersByTime(5_001)
  expect(subjects(unsent)).toEqual(['b'])
})

test('at most 8 MiB wait, and nothing after a message that did not fit', () => {
  const unsent = new UnsentMessages()
  unsent.add(message('a', 8_000_000))
  unsent.add(message('b', 1_000_000))
  unsent.add(message('c'))
  expect(subjects(unsent)).toEqual(['a'])
  unsent.add(message('d'))
  expect(subjects(unsent)).toEqual(['d'])
})
