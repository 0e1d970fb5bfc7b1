import { expect, test } from 'vitest'
import { createSseReader } from './sse-reader.ts'

/** What a reader of events of at most 60 characters reads of a text that comes in pieces. */
function read(text: string, pieceLength: number): readonly string[] {
  const seen: string[] = []
  const reader = createSseReader(
    {
      event: (type, data) => void seen.push(`${type} ${data}`),
      id() {},
      retry() {},
      overlong: ({ beginning, ending }) => void seen.push(`${beginning.slice(0, 9)}...${ending.slice(-9)}`),
    },
    60,
  )
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceLength) {
    expect(reader.feed(bytes.subarray(at, at + pieceLength))).toBe('ok')
  }
  return seen
}

test.each(['\n', '\r\n', '\r'])(
  'an event that is too long is left out, in pieces of any length (line end %j)',
  (end) => {
    const short = (data: string) => `event: message${end}data: ${data}${end}${end}`
    const long = `event: message${end}data: begin${'ü'.repeat(60)}${end}data:x${end}data: more${end}id: 7${end}${end}`
    const text = `${short('1')}: ping${end}${end}${long}${short('2')}${short('3')}${long}${long}${short('4')}`
    const skipped = 'beginüüüü...üü\nx\nmore'
    const expected = ['message 1', skipped, 'message 2', 'message 3', skipped, skipped, 'message 4']
    for (let length = 1; length <= Buffer.byteLength(text); length += 1) expect(read(text, length)).toEqual(expected)
  },
)

test('empty lines of data count as long as they are sent, because each of them takes memory', () => {
  const reader = createSseReader({ event() {}, id() {}, retry() {} }, 60)
  expect(reader.feed(Buffer.from('data\n'.repeat(12)))).toBe('ok')
  expect(reader.feed(Buffer.from('data\n'))).toBe('too_large')
})
