import { expect, test } from 'vitest'
import { frameLimit } from '@junctor/fabric/wire'
import { FrameReader, FrameWriter } from './frame-parts.ts'

const large = 'ä€😀'.repeat(1_000)

function written(writer: FrameWriter, text: string): readonly Uint8Array[] {
  return writer.write(text) ?? []
}

test('a frame that fits is one message', () => {
  const writer = new FrameWriter(64)
  const reader = new FrameReader()
  for (const text of ['', 'x', 'x'.repeat(59)]) {
    const messages = written(writer, text)
    expect(messages).toHaveLength(1)
    expect(messages.map((message) => reader.read(message))).toEqual([{ kind: 'frame', text, bytes: text.length }])
  }
})

test('a larger frame is sent in parts, none larger than allowed, and characters are not cut', () => {
  const messages = written(new FrameWriter(64), large)
  expect(Math.max(...messages.map((message) => message.length))).toBe(64)
  const reader = new FrameReader()
  const arrivals = messages.map((message) => reader.read(message))
  expect(arrivals.slice(0, -1).every((arrival) => arrival.kind === 'part')).toBe(true)
  expect(arrivals.at(-1)).toEqual({ kind: 'frame', text: large, bytes: Buffer.byteLength(large) })
})

test('a duplicate message changes nothing', () => {
  const [first = new Uint8Array(), second = new Uint8Array()] = written(new FrameWriter(64), 'x'.repeat(100))
  const reader = new FrameReader()
  expect(reader.read(first).kind).toBe('part')
  expect(reader.read(first).kind).toBe('repeated')
  expect(reader.read(second)).toMatchObject({ kind: 'frame', text: 'x'.repeat(100) })
  expect(reader.read(second).kind).toBe('repeated')
})

test('a missing message is detected with the next one', () => {
  const writer = new FrameWriter(64)
  writer.write('lost')
  const reader = new FrameReader()
  expect(written(writer, 'next').map((message) => reader.read(message).kind)).toEqual(['broken'])
})

test('a mark detects whether a message was lost, and its own loss does no harm', () => {
  const writer = new FrameWriter(64)
  const reader = new FrameReader()
  expect(reader.read(writer.mark()).kind).toBe('marked')
  const read = (text: string): unknown => written(writer, text).map((message) => reader.read(message).kind)
  expect(read('one')).toEqual(['frame'])
  writer.mark()
  expect(read('two')).toEqual(['frame'])
  expect([reader.read(writer.mark()).kind, reader.read(writer.mark()).kind]).toEqual(['marked', 'marked'])
  writer.write('lost')
  expect(reader.read(writer.mark()).kind).toBe('broken')
})

test.each([new Uint8Array(), new Uint8Array(4), Uint8Array.of(0, 0, 0, 1, 0, 0xff)])(
  'is not a message: %s',
  (message) => {
    expect(new FrameReader().read(message).kind).toBe('broken')
  },
)

test('a frame beyond the limit is neither written nor read', () => {
  const writer = new FrameWriter(1_048_576)
  expect(writer.write('x'.repeat(frameLimit + 1))).toBeUndefined()
  const endless = new Uint8Array(1_048_576)
  const reader = new FrameReader()
  const kinds = Array.from({ length: 33 }, (_, n) => {
    endless.set([0, 0, 0, n + 1, 1])
    return reader.read(endless).kind
  })
  expect(kinds.slice(0, 32).every((kind) => kind === 'part')).toBe(true)
  expect(kinds.at(-1)).toBe('broken')
  expect(written(writer, 'first')[0]?.subarray(0, 4)).toEqual(Buffer.from([0, 0, 0, 1]))
})
