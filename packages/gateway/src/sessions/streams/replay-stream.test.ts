import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { StreamReader } from '../../../test/support/stream-reader.ts'
import { ReplayStream, type StreamPace } from './replay-stream.ts'

const bounds = { entries: 100, characters: 10_000, keepMs: 300_000 }

const losses = { dropped: vi.fn<() => void>(), overflowed: vi.fn<() => void>() }

beforeEach(() => {
  losses.dropped.mockClear()
  losses.overflowed.mockClear()
})

function streamWith(limits = bounds, pace: StreamPace = 'awaited'): ReplayStream {
  return new ReplayStream('abcd1234-AAAAAAAAAAAAAAAAAAAAAA', limits, () => 0, losses, pace)
}

describe('ReplayStream', () => {
  it('keeps frames until a reader comes, then sends them in order', () => {
    const stream = streamWith()
    void stream.append('a', false)
    void stream.append('b', false)
    const reader = new StreamReader()
    stream.attach(reader)
    void stream.append('c', true)
    expect(reader.texts).toEqual(['a', 'b', 'c'])
    expect(reader.ended).toBe(true)
  })

  it('sends a reader that reconnects the frames after its last event, and none twice', () => {
    const stream = streamWith()
    const first = new StreamReader()
    stream.attach(first)
    void stream.append('a', false)
    void stream.append('b', false)
    first.owner?.lost()
    void stream.append('c', true)
    const second = new StreamReader()
    stream.attach(second, 1)
    expect(second.texts).toEqual(['b', 'c'])
    expect(second.ended).toBe(true)
  })

  it('immediately ends a reader that reconnects after the last event', () => {
    const stream = streamWith()
    const first = new StreamReader()
    stream.attach(first)
    void stream.append('a', true)
    const second = new StreamReader()
    stream.attach(second, 1)
    expect(second.texts).toEqual([])
    expect(second.ended).toBe(true)
  })

  it('sends a reader nothing twice when one with an older event comes late and leaves, and all to one without an event', () => {
    const stream = streamWith(bounds, 'paced')
    for (const text of ['a', 'b', 'c']) void stream.append(text, false)
    const current = new StreamReader()
    stream.attach(current, 2)
    const late = new StreamReader()
    stream.attach(late, 0)
    void stream.append('d', false)
    expect(late.texts).toEqual(['a', 'b', 'c', 'd'])
    late.owner?.lost()
    stream.takeBack(stream.eventId(4), 4)
    expect(current.texts).toEqual(['c', 'd'])
    const other = new StreamReader()
    stream.attach(other)
    stream.takeBack(stream.eventId(4), 2)
    expect(other.texts).toEqual(['c', 'd'])
  })

  it('ends the older readers after the last frame, so that they reconnect and get it', () => {
    const stream = streamWith()
    const older = new StreamReader()
    const newer = new StreamReader()
    stream.attach(older)
    void stream.append('a', false)
    stream.attach(newer)
    void stream.append('b', true)
    expect([older.texts, older.ended]).toEqual([['a'], true])
    const again = new StreamReader()
    stream.attach(again, 1)
    expect([again.texts, again.ended]).toEqual([['b'], true])
  })

  it('ends the older readers also when a newer one gets the last frame from what is kept', () => {
    const stream = streamWith()
    const older = new StreamReader()
    stream.attach(older)
    older.owner?.lost()
    void stream.append('a', true)
    const first = new StreamReader()
    const second = new StreamReader()
    stream.attach(first, 0)
    stream.attach(second, 1)
    expect([first.ended, second.ended, stream.read]).toEqual([true, true, false])
  })

  it('knows which events it can no longer replay', () => {
    const stream = streamWith({ ...bounds, entries: 2 })
    for (const text of ['a', 'b', 'c']) void stream.append(text, false)
    expect([0, 1, 2, 3, 4].map((n) => stream.keeps(n))).toEqual([false, true, true, true, false])
  })

  it('forgets the oldest frames when they grow too large', () => {
    const stream = streamWith({ ...bounds, characters: 10 })
    void stream.append('aaaaaa', false)
    void stream.append('bbbbbb', false)
    expect(stream.keeps(0)).toBe(false)
    expect(stream.keeps(1)).toBe(true)
  })

  it('keeps one frame however large it is', () => {
    const stream = streamWith({ ...bounds, characters: 10 })
    void stream.append('a', false)
    void stream.append('b'.repeat(100), true)
    const reader = new StreamReader()
    stream.attach(reader, 1)
    expect(reader.texts).toEqual(['b'.repeat(100)])
  })

  it('reports frames that were removed before a reader got them, and no others', () => {
    const stream = streamWith({ ...bounds, entries: 2 })
    const reader = new StreamReader()
    stream.attach(reader)
    for (const text of ['a', 'b', 'c']) void stream.append(text, false)
    expect(losses.dropped).not.toHaveBeenCalled()
    reader.owner?.lost()
    for (const text of ['d', 'e', 'f']) void stream.append(text, false)
    expect(losses.dropped).toHaveBeenCalledOnce()
    expect(losses.overflowed).not.toHaveBeenCalled()
  })

  it('gives readers that come and go at any time every frame once, in order', () => {
    const step = fc.oneof(fc.constant('append' as const), fc.constant('leave' as const), fc.constant('come' as const))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const stream = streamWith()
        const seen: string[] = []
        let reader: StreamReader | undefined
        let position = 0
        let count = 0
        const take = (): void => {
          if (reader === undefined) return
          seen.push(...reader.texts.splice(0))
          position = seen.length
        }
        const acts = {
          append: () => void stream.append(`frame ${++count}`, false),
          leave: () => {
            take()
            reader?.owner?.lost()
            reader = undefined
          },
          come: () => {
            take()
            reader?.owner?.lost()
            reader = new StreamReader()
            stream.attach(reader, position)
          },
        }
        for (const name of steps) acts[name]()
        acts.come()
        take()
        expect(seen).toEqual(Array.from({ length: count }, (_, index) => `frame ${index + 1}`))
      }),
    )
  })
})

describe('a stream whose writer waits', () => {
  /** Appends a frame. Returns whether its writer must wait, and later whether it waits still. */
  function append(stream: ReplayStream, text: string): { waits: boolean } {
    const slow = stream.append(text, false)
    const writer = { waits: slow !== undefined }
    void slow?.then(() => (writer.waits = false))
    return writer
  }

  it.each([
    ['frames', { ...bounds, entries: 6 }],
    ['characters', { ...bounds, characters: 6 }],
  ])('waits for a reader when half of the kept %s are unread', async (_name, limits) => {
    const stream = streamWith(limits)
    const first = new StreamReader()
    stream.attach(first)
    for (const text of ['a', 'b', 'c', 'd']) expect(append(stream, text).waits).toBe(false)
    first.owner?.lost()
    const waiting = ['e', 'f', 'g'].map((text) => append(stream, text))
    expect(waiting.map(({ waits }) => waits)).toEqual([false, false, true])
    const second = new StreamReader()
    stream.attach(second, 1)
    await Promise.resolve()
    expect(second.texts).toEqual(['b', 'c', 'd', 'e', 'f', 'g'])
    expect(waiting.at(-1)?.waits).toBe(false)
    expect(append(stream, 'h').waits).toBe(false)
  })

  it('does not wait any more when it is closed', async () => {
    const stream = streamWith({ ...bounds, entries: 2 })
    const writer = append(stream, 'a')
    expect(writer.waits).toBe(true)
    stream.close()
    await Promise.resolve()
    expect(writer.waits).toBe(false)
    expect(append(stream, 'b').waits).toBe(false)
  })

  it('ends an older reader when the newest is lost, so that it reconnects and misses nothing', () => {
    const stream = streamWith()
    const older = new StreamReader()
    const newer = new StreamReader()
    stream.attach(older)
    stream.attach(newer)
    void stream.append('a', false)
    newer.owner?.lost()
    expect([newer.texts, older.texts, older.ended]).toEqual([['a'], [], true])
  })
})

describe('a paced stream', () => {
  it('sends a slow reader no more than it takes, and the rest in order when it continues', async () => {
    const stream = streamWith(bounds, 'paced')
    const reader = new StreamReader()
    stream.attach(reader)
    void stream.append('a', false)
    reader.tire()
    for (const text of ['b', 'c', 'd']) expect(stream.append(text, false)).toBeUndefined()
    expect(reader.texts).toEqual(['a', 'b'])
    await reader.recover()
    expect(reader.texts).toEqual(['a', 'b', 'c', 'd'])
  })

  it('loses the oldest frames when its reader is too slow and cannot resume, and reports it', async () => {
    const stream = streamWith({ ...bounds, entries: 2 }, 'paced')
    const reader = new StreamReader(false)
    stream.attach(reader)
    reader.tire()
    for (const text of ['a', 'b', 'c', 'd']) void stream.append(text, false)
    await reader.recover()
    expect(reader.texts).toEqual(['a', 'c', 'd'])
    expect(losses.dropped).toHaveBeenCalledOnce()
    expect(losses.overflowed).not.toHaveBeenCalled()
  })

  it('ends a reader that is too slow and can resume; it then gets the frames that are still kept', () => {
    const stream = streamWith({ ...bounds, entries: 2 }, 'paced')
    const reader = new StreamReader()
    stream.attach(reader)
    reader.tire()
    for (const text of ['a', 'b', 'c', 'd']) void stream.append(text, false)
    expect(reader).toMatchObject({ texts: ['a'], ended: true })
    expect(losses.overflowed).toHaveBeenCalledOnce()
    expect(stream.keeps(1)).toBe(false)
    const next = new StreamReader()
    stream.attach(next)
    expect(next.texts).toEqual(['c', 'd'])
  })

  it('gives the reader before the newest the frames that the newest did not take', () => {
    const stream = streamWith(bounds, 'paced')
    const older = new StreamReader()
    const newer = new StreamReader()
    stream.attach(older)
    stream.attach(newer)
    newer.tire()
    for (const text of ['a', 'b']) void stream.append(text, false)
    newer.owner?.lost()
    expect(newer.texts).toEqual(['a'])
    expect(older.texts).toEqual(['b'])
  })

  it('sends a reader that reconnects the frames after its last event', () => {
    const stream = streamWith(bounds, 'paced')
    const first = new StreamReader()
    stream.attach(first)
    for (const text of ['a', 'b', 'c']) void stream.append(text, false)
    first.owner?.lost()
    const second = new StreamReader()
    stream.attach(second, 1)
    expect(second.texts).toEqual(['b', 'c'])
    expect(stream.awaits('c')).toBe(false)
  })
})
