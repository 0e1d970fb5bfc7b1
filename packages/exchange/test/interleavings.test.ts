import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ExchangeEvent } from '../src/index.ts'
import { anyStep, run } from './any-step.ts'

/** Returns one letter for each event, so that the grammar of a sequence is a regular expression. */
function letters(events: readonly ExchangeEvent[]): string {
  const letter = {
    ack: 'a',
    progress: 'p',
    chunk: 'c',
    notification: 'n',
    ask: 'q',
    withdrawn: 'w',
    task_started: 't',
    outcome: 'o',
    end: 'e',
  }
  return events.map((event) => letter[event.kind]).join('')
}

/** Returns what the client saw of each ask that was shown. */
function historiesOf(events: readonly ExchangeEvent[]): readonly string[] {
  const histories = new Map<string, string>()
  for (const event of events) {
    const letter = event.kind === 'ask' ? 'q' : 'w'
    if (event.kind === 'ask' || event.kind === 'withdrawn')
      histories.set(event.id, (histories.get(event.id) ?? '') + letter)
  }
  return [...histories.values()]
}

test('any interleaving keeps the rules of an exchange', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 60, size: 'max' }), async (steps) => {
      const { exchange, host, written, ...world } = await run(steps)
      expect(world.problems).toEqual([])
      expect(letters(written)).toMatch(/^a*[pcnqw]*[oe]$/)
      for (const history of historiesOf(written)) expect(history).toMatch(/^q+w?$/)

      const chunks = written.flatMap((event) => (event.kind === 'chunk' ? [event.data] : []))
      expect(chunks).toEqual(world.chunks)
      const progress = written.flatMap((event) => (event.kind === 'progress' ? [event.progress.progress] : []))
      expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b))
      expect(progress.at(-1)).toBe(world.highest)
      const notifications = written.flatMap((event) => (event.kind === 'notification' ? [event.notification] : []))
      const delivered = new Set<unknown>(notifications)
      expect(notifications).toEqual(world.notifications.filter((notification) => delivered.has(notification)))
      expect(notifications.length + exchange.dropped).toBe(world.notifications.length)

      expect(host.closes).toEqual([exchange])
      expect(host.asks.size).toBe(0)
      expect(exchange.deadline).toBe(31_000 + world.pausedMs)
      expect(world.endNotices).toBe(world.endBeforeOutcome === undefined ? 0 : 2)
      for (const signal of world.signals) expect(signal.reason).toBe(exchange.ended)
      expect(world.signals.size).toBeLessThanOrEqual(1)
    }),
    { numRuns: 2000 },
  )
}, 60_000)
