import { expect, test } from 'vitest'
import { encodeFrame, FrameReader } from './web-socket-frame.ts'

/** A frame as servers send it, without a mask. */
function frame(text: string, first = 0x81): Buffer {
  const { length } = Buffer.from(text)
  const long = Buffer.alloc(8)
  long.writeBigUInt64BE(BigInt(length))
  const size = length < 126 ? [length] : length < 65_536 ? [126, ...long.subarray(6)] : [127, ...long]
  return Buffer.concat([Buffer.from([first, ...size]), Buffer.from(text)])
}

test.each([0, 125, 126, 65_535, 65_536])('a text of %d bytes is read, also when it arrives in pieces', (length) => {
  const bytes = Buffer.concat([frame('é'), frame('x'.repeat(length)), frame('', 0x89), frame('end')])
  for (const size of length < 1000 ? [1, 7, bytes.length] : [1000, bytes.length]) {
    const reader = new FrameReader()
    const texts: string[] = []
    for (let at = 0; at < bytes.length; at += size)
      reader.push(bytes.subarray(at, at + size), (text) => texts.push(text))
    expect(texts).toEqual(['é', 'x'.repeat(length), 'end'])
  }
})

test('a frame that is not a whole text is refused', () => {
  expect(() => new FrameReader().push(frame('bye', 0x88), () => {})).toThrow('expected a text in one frame')
})

test.each([5, 300])('a sent text has a mask and its length: %d bytes', (length) => {
  const sent = Buffer.from(encodeFrame('y'.repeat(length)))
  const start = length < 126 ? 6 : 8
  expect(sent[0]).toBe(0x81)
  expect(length < 126 ? (sent[1] ?? 0) & 0x7f : sent.readUInt16BE(2)).toBe(length)
  expect((sent[1] ?? 0) & 0x80).toBe(0x80)
  expect(sent.toString('utf8', start)).toBe('y'.repeat(length))
})
