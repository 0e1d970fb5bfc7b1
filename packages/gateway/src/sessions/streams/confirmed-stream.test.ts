import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { StreamReader } from '../../../test/support/stream-reader.ts'
import { confirmedAfterMs, ReplayStream } from './replay-stream.ts'

const bounds = { entries: 100, characters: 10_000, keepMs: 300_000 }
const losses = { dropped: vi.fn<() => void>(), overflowed: vi.fn<() => void>() }
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

  it('shows frames again that its last reader may not have received, to the next one, and not a third time', () => {
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

  it('shows them to a reader that comes before the loss of the previous one is noticed', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a')
    const second = read(stream)
    first.owner?.lost()
    say(stream, 'b')
    expect(second.texts).toEqual(['a', 'b'])
  })

  it('shows a reader with an event id the frames after that event, each time', () => {
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

  it('treats frames as confirmed that were sent well before their reader was lost', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a')
    now += 1
    say(stream, 'b')
    now += confirmedAfterMs - 1
    first.owner?.lost()
    // A frame that was not confirmed then does not become confirmed by waiting.
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

  it('shows no frame again that is older than the keep time, but still shows frames that were never sent', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a')
    first.owner?.lost()
    say(stream, 'b')
    now += bounds.keepMs
    expect(read(stream).texts).toEqual(['b'])
  })

  it('shows no frame again that its reader has answered', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a', 'b')
    stream.confirm(1)
    first.owner?.lost()
    expect(read(stream).texts).toEqual(['b'])
  })

  it('keeps no more than its limits, and counts only frames as lost that were never sent', () => {
    const stream = confirmedStream({ ...bounds, entries: 2 })
    const first = read(stream)
    say(stream, 'a', 'b')
    first.owner?.lost()
    say(stream, 'c', 'd', 'e')
    expect(losses.dropped).toHaveBeenCalledOnce()
    expect(stream.position).toBe(3)
    expect(read(stream).texts).toEqual(['d', 'e'])
  })

  it('gives the reader before the newest its position, and the frames that the newest may not have received', () => {
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

  it('keeps a new frame for its first reader, although an equal frame was shown before', () => {
    const stream = confirmedStream()
    const first = read(stream)
    say(stream, 'a')
    first.owner?.lost()
    expect(stream.awaits('a')).toBe(false)
    say(stream, 'a')
    expect(stream.awaits('a')).toBe(true)
  })

  it('loses no frame and shows none more than twice, for any sequence of readers', () => {
    const step = fc.constantFrom('append' as const, 'leave' as const, 'come' as const, 'comeAfter' as const)
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.nat(5)), { maxLength: 60 }), (steps) => {
        const stream = confirmedStream()
        const shown = new Map<string, number>()
        /** The frames that the client has received, in order: all but the last few of those sent to it. */
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
        // Readers with event ids may get frames any number of times.
        const most = steps.some(([name]) => name === 'comeAfter') ? Infinity : 2
        expect(Math.max(0, ...shown.values())).toBeLessThanOrEqual(most)
      }),
    )
  })
})
