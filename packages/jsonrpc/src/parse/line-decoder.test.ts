import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineDecoder, type LineDecoder } from './line-decoder.ts'

type Reported = readonly [kind: 'line', text: string] | readonly [kind: 'overlong' | 'invalid']

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

function observed(maxBytes = 1000): { decoder: LineDecoder; reported: Reported[]; overlong: number[] } {
  const reported: Reported[] = []
  const overlong: number[] = []
  const decoder = createLineDecoder({
    maxBytes,
    onLine: (text) => reported.push(['line', text]),
    onOverlong: (bytes) => {
      reported.push(['overlong'])
      overlong.push(bytes)
    },
    onInvalid: () => reported.push(['invalid']),
  })
  return { decoder, reported, overlong }
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.slice(edges[index], end))
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

const written = (bytes: Uint8Array, ...expected: Reported[]): { bytes: Uint8Array; expected: Reported[] } => ({
  bytes,
  expected,
})

const linesOf = (text: string): Reported[] => (text === '' ? [] : [['line', text]])

describe('a line decoder', () => {
  test('returns the same lines for any split of the bytes', () => {
    const maxBytes = 24
    const good = fc
      .string({ unit: fc.constantFrom('a', '{', '\u00e9', '\u{1f600}', '\ufeff', ' ', '\u2028') })
      .filter((text) => encode(text).length < maxBytes)
      .map((text) => written(encode(text), ...linesOf(text.replace(/^\ufeff/, ''))))
    const invalid = fc.constant(written(Uint8Array.of(0x61, 0xff, 0x62), ['invalid']))
    const overlong = fc
      .integer({ min: maxBytes + 1, max: 80 })
      .map((length) => written(encode('x'.repeat(length)), ['overlong']))
    const line = fc.oneof({ weight: 4, arbitrary: good }, invalid, overlong)
    const ending = fc.constantFrom('\n', '\n', '\r\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ending)), fc.boolean(), fc.array(fc.nat()), (lines, closed, places) => {
        const bytes = concat(lines.flatMap(([{ bytes: content }, end]) => [content, encode(end)]))
        const stream = closed || bytes.at(-1) !== 0x0a ? bytes : bytes.slice(0, -1)
        const { decoder, reported } = observed(maxBytes)
        for (const chunk of cut(stream, places)) decoder.push(chunk)
        decoder.end()
        expect(reported).toEqual(lines.flatMap(([{ expected }]) => expected))
      }),
      { numRuns: 1000 },
    )
  })

  test('reports a last line without a newline, once', () => {
    const { decoder, reported } = observed()
    decoder.push(encode('one\ntwo'))
    expect(reported).toEqual([['line', 'one']])
    decoder.end()
    decoder.end()
    expect(reported).toEqual([
      ['line', 'one'],
      ['line', 'two'],
    ])
  })

  test('skips empty lines and removes carriage returns', () => {
    const { decoder, reported } = observed()
    decoder.push(encode('\n\r\n\n{"a":"\\r"}\r\n\n'))
    decoder.end()
    expect(reported).toEqual([['line', '{"a":"\\r"}']])
  })

  test('reports an overlong line once, before its end, and continues after it', () => {
    const { decoder, reported, overlong } = observed(10)
    decoder.push(encode('0123456789\n01234'))
    decoder.push(encode('567890'))
    expect(reported).toEqual([['line', '0123456789'], ['overlong']])
    decoder.push(encode('x'.repeat(100)))
    decoder.push(encode('x\nnext\n'))
    expect(reported).toEqual([['line', '0123456789'], ['overlong'], ['line', 'next']])
    expect(overlong).toEqual([11])
  })

  test('an overlong line does not affect other lines in the same chunk', () => {
    const { decoder, reported } = observed(10)
    decoder.push(encode('one\n0123456789+\ntwo\n'))
    expect(reported).toEqual([['line', 'one'], ['overlong'], ['line', 'two']])
  })

  test('a line that is not UTF-8 does not affect other lines in the same chunk', () => {
    const { decoder, reported } = observed()
    decoder.push(concat([encode('one\n'), Uint8Array.of(0xc3, 0x0a), encode('two\n')]))
    expect(reported).toEqual([['line', 'one'], ['invalid'], ['line', 'two']])
  })

  test('what can be read of a line that is not UTF-8 is given', () => {
    const read: string[] = []
    const decoder = createLineDecoder({
      maxBytes: 100,
      onLine: () => undefined,
      onOverlong: () => undefined,
      onInvalid: (text) => read.push(text),
    })
    decoder.push(concat([encode('{"id":1,"a":"'), Uint8Array.of(0xe9), encode('"}\n')]))
    expect(read).toEqual(['{"id":1,"a":"\uFFFD"}'])
  })

  test('does not keep the memory of a chunk', () => {
    const { decoder, reported } = observed()
    const chunk = encode('ab')
    decoder.push(chunk)
    chunk.fill(0x7a)
    decoder.push(encode('c\n'))
    expect(reported).toEqual([['line', 'abc']])
  })

  test('a line of megabytes in single bytes has a linear cost', () => {
    // Copying or searching the whole line for each byte would take minutes.
    const length = 2 * 1024 * 1024
    const { decoder, reported } = observed(length)
    const byte = encode('x')
    for (let count = 0; count < length; count++) decoder.push(byte)
    decoder.push(encode('\n'))
    expect(reported.map(([kind, text]) => [kind, text?.length])).toEqual([['line', length]])
  })

  test('an endless line does not use more memory than the limit of a line', () => {
    const { decoder, reported } = observed(64 * 1024)
    const chunk = new Uint8Array(48 * 1024).fill(0x78)
    const before = process.memoryUsage().arrayBuffers
    for (let count = 0; count < 2000; count++) decoder.push(chunk)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
    expect(reported).toEqual([['overlong']])
  })

  test('releases the memory of a long line', () => {
    const megabyte = new Uint8Array(1024 * 1024).fill(0x78)
    const before = process.memoryUsage().arrayBuffers
    const decoders = Array.from({ length: 300 }, () => {
      const { decoder } = observed(megabyte.length)
      decoder.push(megabyte)
      decoder.push(encode('\n'))
      return decoder
    })
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * megabyte.length)
    expect(decoders).toHaveLength(300)
  })

  test.each([[[]], [[3]], [[10, 20, 700]], [[298, 299, 300]]])(
    'reports both ends of a dropped line, split at %j',
    (places) => {
      const ends: string[] = []
      const decoder = createLineDecoder({
        maxBytes: 300,
        onLine: (text) => ends.push(text),
        onOverlong: (_, beginning) => ends.push(beginning),
        onOverlongEnd: (ending) => ends.push(ending),
        onInvalid: () => undefined,
      })
      for (const chunk of cut(encode(`first${'x'.repeat(900)}last\nnext\n`), places)) decoder.push(chunk)
      expect(ends).toEqual([`first${'x'.repeat(251)}`, `${'x'.repeat(252)}last`, 'next'])
    },
  )
})
