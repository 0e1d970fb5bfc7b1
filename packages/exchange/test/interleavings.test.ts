import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EndReason, ExchangeEvent } from '../src/index.ts'
import { ExchangeRun, type Step } from './exchange-run.ts'

const reasons: readonly EndReason[] = [
  'cancelled',
  'disconnected',
  'deadline',
  'session_ended',
  'lease_lost',
  'shutdown',
]

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'ack' }, { do: 'detach' }, { do: 'drain' }, { do: 'watch' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('attach'),
      slow: fc.boolean(),
      asks: fc.constantFrom('live', 'live', 'none'),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'chunk' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('progress'), progress: fc.integer({ min: 0, max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('notify'), times: fc.constantFrom(1, 1, 1, 200) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask'), guessed: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('answer', 'time out', 'take back'), which: fc.nat({ max: 8 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.nat({ max: 1000 }) }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constant<Step>({ do: 'settle' }),
      fc.record({ do: fc.constant('end'), reason: fc.constantFrom(...reasons) }),
    ),
  },
)

async function run(steps: readonly Step[]): Promise<ExchangeRun> {
  const exchangeRun = new ExchangeRun()
  for (const next of steps) await exchangeRun.take(next)
  await exchangeRun.finish()
  return exchangeRun
}

/** One letter for each event, so that the grammar of a sequence is a regular expression. */
function letters(events: readonly ExchangeEvent[]): string {
  const letter = {
    ack: 'a',
    progress: 'p',
    chunk: 'c',
    notification: 'n',
    ask: 'q',
    withdrawn: 'w',
    outcome: 'o',
    end: 'e',
  }
  return events.map((event) => letter[event.kind]).join('')
}

/** For each ask that was ever shown, what the client saw of it. */
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
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
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
      expect(world.endsHeard).toBe(world.endBeforeOutcome === undefined ? 0 : 2)
      for (const signal of world.signals) expect(signal.reason).toBe(exchange.ended)
      expect(world.signals.size).toBeLessThanOrEqual(1)
    }),
    { numRuns: 2000 },
  )
}, 60_000)
