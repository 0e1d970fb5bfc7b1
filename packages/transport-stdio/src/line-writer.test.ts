import { PassThrough, Writable } from 'node:stream'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import type { JunctorError } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { createLineWriter } from './line-writer.ts'

function open(output: Writable, maxBuffered = 1_000_000) {
  const lost: JunctorError[] = []
  const writer = createLineWriter({ output, maxBuffered, onLost: (error) => lost.push(error) })
  return { writer, lost }
}

test('lines of one turn are one write, lines of the next turn another one', async () => {
  const chunks: string[] = []
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const { writer } = open(output)
  void writer.write('a')
  void writer.write('b')
  expect(chunks).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  void writer.write('c')
  await writer.flushed()
  expect(chunks).toEqual(['a\nb\n', 'c\n'])
})

test('a reader that ends lines at U+2028, such as `node:readline`, gets each message whole', async () => {
  const output = new PassThrough()
  const { writer } = open(output)
  const messages = [['a\u2028b'], ['c\u2029\u0085']]
  for (const message of messages) void writer.write(JSON.stringify(message))
  writer.end()
  const read: unknown[] = []
  for await (const line of createInterface({ input: output })) read.push(JSON.parse(line))
  expect(read).toEqual(messages)
})

test('lines before the end are written', async () => {
  const output = new PassThrough()
  const { writer, lost } = open(output)
  void writer.write('a')
  writer.end()
  void writer.write('b')
  expect(await text(output)).toBe('a\n')
  expect(lost).toEqual([])
})

test('a slow reader makes writers wait, and releases them when it has caught up', async () => {
  const output = new PassThrough({ highWaterMark: 10 })
  const { writer } = open(output)
  expect(writer.write('a')).toBeUndefined()
  await writer.flushed()
  void writer.write('x'.repeat(100_000))
  const wait = writer.write('b')
  expect(wait).toBeInstanceOf(Promise)
  expect(writer.write('c')).toBe(wait)
  output.resume()
  await wait
  expect(writer.slow).toBeUndefined()
})

test('one line of any length is accepted, the next is not while the first waits', async () => {
  const output = new PassThrough({ highWaterMark: 10 })
  const { writer, lost } = open(output, 1_000)
  void writer.write('x'.repeat(100_000))
  expect(lost).toEqual([])
  void writer.write('b')
  expect(lost).toMatchObject([{ code: 'LIMIT_REACHED' }])
  expect(writer.write('c')).toBeUndefined()
  await writer.flushed()
})

test.each([
  ['fails', new Error('EPIPE')],
  ['is closed', undefined],
])('when the output %s all waiting writers are released, and onLost is called once', async (_name, cause) => {
  const output = new PassThrough({ highWaterMark: 10 })
  const { writer, lost } = open(output)
  void writer.write('x'.repeat(100_000))
  const wait = writer.write('b')
  const flushed = writer.flushed()
  output.destroy(cause)
  await wait
  await flushed
  expect(lost).toEqual([expect.objectContaining({ code: 'CLOSED' })])
  expect(lost[0]?.cause).toBe(cause)
  expect(writer.write('c')).toBeUndefined()
})

test('an output that fails after its end is ignored', async () => {
  const output = new PassThrough()
  const { writer, lost } = open(output)
  writer.end()
  output.emit('error', new Error('EPIPE'))
  await writer.flushed()
  expect(lost).toEqual([])
})
