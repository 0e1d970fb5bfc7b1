import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { StreamReader } from '../../../test/support/stream-reader.ts'
import { confirmedAfterMs, ReplayStream } from './replay-stream.ts'

const bounds = { entries: 100, characters: 10_000, keepMs: 300_000 }
const losses = { dropped: vi.fn<(count: number) => void>(), overflowed: vi.fn<() => void>() }
let now = 0

beforeEach(() => {
  losses.dropped.mockClear()
  losses.overflowed.mockClear()
})

function confirmedStream(limits = bounds): ReplayStream {
  return new ReplayStream('abcd1234-AAAAAAAAAAAAAAAAAAAAAA', limits, () => now, losses, 'confirmed')
}

describe('a confirmed stream', () => {
  const say = (stream: ReplayStream, ...texts: readonly string[]): void => {
    for (const text of texts) void stream.append(text, false)
  }
  const read = (stream: ReplayStream, after?: number): StreamReader => {
    const reader = new StreamReader()
    stream.attach(reader, after)
    return reader
  }

  it('shows again what its last reader may not have had, to the next one, and not a third time', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a', 'b')
    first.owner?.lost()
    say(stream, 'c')
    const second = read(stream)
    expect(second.texts).toEqual(['a', 'b', 'c'])
    second.owner?.lost()
    const third = read(stream)
    expect(third.texts).toEqual(['c'])
    third.owner?.lost()
    expect(read(stream).texts).toEqual([])
  })

  it('shows it to a reader that comes while the one before it is not known to be gone', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a')
    const second = read(stream)
    first.owner?.lost()
    say(stream, 'b')
    expect(second.texts).toEqual(['a', 'b'])
  })

  it('shows a reader that names an event what came after it, however often it comes', () => {
    const stream = confirmedStream()
    read(stream).owner?.lost()
    say(stream, 'a', 'b', 'c')
    for (const after of [0, 1, 1, 2]) {
      const reader = read(stream, after)
      expect(reader.texts).toEqual(['a', 'b', 'c'].slice(after))
      reader.owner?.lost()
    }
    expect(read(stream).texts).toEqual([])
  })

  it('takes for confirmed what was sent well before its reader was lost', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a')
    now += 1
    say(stream, 'b')
    now += confirmedAfterMs - 1
    first.owner?.lost()
    // What was not confirmed then is not by waiting.
    now += confirmedAfterMs
    expect(read(stream).texts).toEqual(['b'])
  })

  it('confirms nothing while its reader is slow', () => {
    const stream = confirmedStream()
    const first = read(stream)
    first.tire()
    say(stream, 'a')
    now += confirmedAfterMs
    first.owner?.lost()
    expect(read(stream).texts).toEqual(['a'])
  })

  it('shows nothing again that is older than streams are kept, and still what nobody was shown', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a')
    first.owner?.lost()
    say(stream, 'b')
    now += bounds.keepMs
    expect(read(stream).texts).toEqual(['b'])
  })

  it('shows nothing again that its reader has answered to', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a', 'b')
    stream.confirm(1)
    first.owner?.lost()
    expect(read(stream).texts).toEqual(['b'])
  })

  it('keeps no more for this than its bounds, and counts as lost only what nobody was shown', () => {
    const stream = confirmedStream({ ...bounds, entries: 2 })
    const first = read(stream)
    say(stream, 'a', 'b')
    first.owner?.lost()
    say(stream, 'c', 'd', 'e')
    expect(losses.dropped.mock.calls).toEqual([[1]])
    expect(stream.position).toBe(3)
    expect(read(stream).texts).toEqual(['d', 'e'])
  })

  it('tells the reader before the newest where it goes on, and shows it what that one may not have had', () => {
    const stream = confirmedStream()
    const older = read(stream)
    say(stream, 'a')
    stream.confirm(1)
    const newer = read(stream)
    say(stream, 'b')
    newer.owner?.lost()
    say(stream, 'c')
    expect(older.texts).toEqual(['a', 'b', 'c'])
    expect(older.places).toEqual([stream.eventId(1)])
  })

  it('waits for a first reader with what was said since, though the same was shown before', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a')
    first.owner?.lost()
    expect(stream.awaits('a')).toBe(false)
    say(stream, 'a')
    expect(stream.awaits('a')).toBe(true)
  })

  it('loses nothing and shows nothing more than twice, whenever readers come, go and read', () => {
    const step = fc.constantFrom('append' as const, 'leave' as const, 'come' as const, 'comeAfter' as const)
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.nat(5)), { maxLength: 60 }), (steps) => {
        const stream = confirmedStream()
        const shown = new Map<string, number>()
        /** What the client has had, one after the other: all but the last few of what was sent to it. */
        let had = 0
        let reader: StreamReader | undefined
        let start = 0
        let count = 0
        const leave = (unread: number): void => {
          if (reader === undefined) return
          for (const text of reader.texts) shown.set(text, (shown.get(text) ?? 0) + 1)
          had = Math.max(had, start + reader.texts.length - unread)
          reader.owner?.lost()
          reader = undefined
        }
        const come = (after: number): void => {
          leave(0)
          start = after
          reader = new StreamReader()
          stream.attach(reader, after)
          expect(reader.texts).toEqual(Array.from({ length: count - after }, (_, index) => `${after + index + 1}`))
        }
        const acts = {
          append: () => void stream.append(`${++count}`, false),
          leave,
          come: () => come(stream.position),
          comeAfter: () => (stream.keeps(had) ? come(had) : undefined),
        }
        for (const [name, unread] of steps) acts[name](unread)
        leave(0)
        // Who names events may have them as often as it likes.
        const most = steps.some(([name]) => name === 'comeAfter') ? Infinity : 2
        expect(Math.max(0, ...shown.values())).toBeLessThanOrEqual(most)
      }),
    )
  })
})
