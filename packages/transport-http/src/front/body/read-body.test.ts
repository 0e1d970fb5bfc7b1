import { EventEmitter, once } from 'node:events'
import { memoryUsage } from 'node:process'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { declaresTooMuch, readBody } from './read-body.ts'

/** What a reader receives of a body that arrives in these pieces. */
async function read(limit: number, ...pieces: string[]): Promise<string[]> {
  const calls: string[] = []
  const body = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  readBody(body, limit, {
    bodyRead: (bytes) => calls.push(`read ${Buffer.from(bytes).toString()}`),
    bodyTooLarge: (start) => calls.push(`too large ${Buffer.from(start).toString()}`),
  })
  await once(body, 'close')
  return calls
}

test.each([
  [[], 'read '],
  [['abc'], 'read abc'],
  [['a', 'b', 'c'], 'read abc'],
  [['', 'abcde'], 'read abcde'],
  [['abcdef'], 'too large abcdef'],
  [['abc', 'def'], 'too large abc'],
  [['abc', 'def', 'ghi', 'jkl'], 'too large abc'],
])('a body of at most five bytes in pieces of %o: %s', async (pieces, calls) => {
  expect(await read(5, ...pieces)).toEqual([calls])
})

test('a body that is cut off is never read', async () => {
  const calls: string[] = []
  const body = new Readable({ read() {} })
  readBody(body, 5, {
    bodyRead: () => calls.push('read'),
    bodyTooLarge: (start) => calls.push(`too large ${Buffer.from(start).toString()}`),
  })
  body.push(Buffer.from('abc'))
  body.destroy()
  await once(body, 'close')
  expect(calls).toEqual([])
})

test.each([
  [undefined, false],
  ['5', false],
  ['6', true],
])('a length of %s exceeds the limit: %s', (length, tooMuch) => {
  expect(declaresTooMuch(length, 5)).toBe(tooMuch)
})

test('a body of many small pieces occupies not much more than its bytes', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const body = new EventEmitter()
  const whole = Promise.withResolvers<Uint8Array>()
  readBody(body, 1_000_000, { bodyRead: whole.resolve, bodyTooLarge: () => whole.reject(new Error('too large')) })
  collect()
  const before = memoryUsage()
  for (let count = 0; count < 200_000; count += 1) body.emit('data', Buffer.of(120))
  collect()
  const { heapUsed, arrayBuffers } = memoryUsage()
  expect(heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers).toBeLessThan(5_000_000)
  body.emit('end')
  expect(await whole.promise).toHaveLength(200_000)
})
