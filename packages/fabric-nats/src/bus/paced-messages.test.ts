import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { OutgoingMessage } from './batch-messages.ts'
import { nextWindow, PacedMessages } from './paced-messages.ts'

const part = 131_072

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

interface Paced {
  readonly messages: PacedMessages
  /** The subject and the size of what was sent. */
  readonly sent: string[]
  readonly asked: (() => void)[]
  readonly idle: string[]
}

function paced(): Paced {
  const sent: string[] = []
  const asked: (() => void)[] = []
  const idle: string[] = []
  const messages = new PacedMessages('far', {
    send: ({ subject, body }) => sent.push(`${subject} ${body.length}`),
    ask: (_node, confirmed) => {
      asked.push(confirmed)
      return () => {}
    },
    idle: (node) => idle.push(node),
  })
  return { messages, sent, asked, idle }
}

const message = (subject: string, bytes = part): OutgoingMessage => ({
  subject,
  reply: '',
  body: new Uint8Array(bytes),
})

it('sends no more than a window before the node confirms what it has', () => {
  const { messages, sent, asked } = paced()
  for (let n = 0; n < 9; n += 1) messages.add(message('a'))
  expect(sent).toHaveLength(4)
  expect(messages.hasWaiting('a')).toBe(true)
  asked.shift()?.()
  // The confirmation was quick: the window has grown.
  expect(sent).toHaveLength(6)
})

it('keeps the messages of a subject in order, also a small one, and the subjects take turns', () => {
  const { messages, sent, asked } = paced()
  for (let n = 0; n < 6; n += 1) messages.add(message('a', part + n))
  messages.add(message('a', 1))
  messages.add(message('b', part))
  while (asked.length > 0) asked.shift()?.()
  const sizes = sent.filter((text) => text.startsWith('a ')).map((text) => Number(text.slice(2)))
  expect(sizes).toEqual([part, part + 1, part + 2, part + 3, part + 4, part + 5, 1])
  expect(sent.indexOf('b 131072')).toBeLessThan(sent.indexOf('a 1'))
})

it('goes on when confirmations are lost, and is idle when nothing is in transit', () => {
  const { messages, sent, idle } = paced()
  for (let n = 0; n < 6; n += 1) messages.add(message('a'))
  vi.advanceTimersByTime(5_000)
  expect(sent).toHaveLength(6)
  expect(idle).toEqual([])
  vi.advanceTimersByTime(5_000)
  expect(idle).toEqual(['far'])
})

it('goes on when confirmations are lost, also while more messages come', () => {
  const { messages, sent } = paced()
  for (let second = 0; second < 12; second += 1) {
    messages.add(message('a'))
    vi.advanceTimersByTime(1_000)
  }
  expect(sent.length).toBeGreaterThan(4)
})

it('sends everything when it is closed', () => {
  const { messages, sent, idle } = paced()
  for (let n = 0; n < 20; n += 1) messages.add(message('a'))
  messages.close()
  expect(sent).toHaveLength(20)
  expect(idle).toEqual(['far'])
  expect(vi.getTimerCount()).toBe(0)
})

it('lets more bytes be in transit on a quick link, and fewer on a slow one, within limits', () => {
  expect(nextWindow(524_288, part, 20)).toBe(524_288 + part)
  expect(nextWindow(2_097_152, part, 20)).toBe(2_097_152)
  expect(nextWindow(524_288, part, 700)).toBe(524_288)
  expect(nextWindow(524_288, part, 2_000)).toBe(524_288 - part)
  expect(nextWindow(262_144, part, 2_000)).toBe(262_144)
})
