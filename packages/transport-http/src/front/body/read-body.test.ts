import { EventEmitter, once } from 'node:events'
import { memoryUsage } from 'node:process'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { BodyRoom } from './body-room.ts'
import { declaresTooMuch, readBody } from './read-body.ts'

/** What a reader receives of a body that arrives in these pieces. */
async function read(limit: number, ...pieces: string[]): Promise<string[]> {
  const calls: string[] = []
  const body = Readable.from(pieces.map((piece) => Buffer.from(piece)))
  readBody(body, limit, new BodyRoom(), {
    bodyRead: (bytes) => calls.push(`read ${Buffer.from(bytes).toString()}`),
    bodyTooLarge: (start) => calls.push(`too large ${Buffer.from(start).toString()}`),
    bodyHasNoRoom: () => calls.push('no room'),
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
  readBody(body, 5, new BodyRoom(), {
    bodyRead: () => calls.push('read'),
    bodyTooLarge: (start) => calls.push(`too large ${Buffer.from(start).toString()}`),
    bodyHasNoRoom: () => calls.push('no room'),
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
  readBody(body, 1_000_000, new BodyRoom(), {
    bodyRead: whole.resolve,
    bodyTooLarge: () => whole.reject(new Error('too large')),
    bodyHasNoRoom: () => whole.reject(new Error('no room')),
  })
  collect()
  const before = memoryUsage()
  for (let count = 0; count < 200_000; count += 1) body.emit('data', Buffer.of(120))
  collect()
  const { heapUsed, arrayBuffers } = memoryUsage()
  expect(heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers).toBeLessThan(5_000_000)
  body.emit('end')
  expect(await whole.promise).toHaveLength(200_000)
})

test('bodies that are read at one time have room together, and small ones always', () => {
  const room = new BodyRoom(100_000)
  const calls: string[] = []
  const begin = (name: string): EventEmitter => {
    const body = new EventEmitter()
    const bodyRead = ({ length }: Uint8Array) => calls.push(`${name} has ${length}`)
    readBody(body, 1_000_000, room, {
      bodyRead,
      bodyTooLarge: () => calls.push(`${name} is too large`),
      bodyHasNoRoom: () => calls.push(`${name} has no room`),
    })
    return body
  }
  const bodies = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, begin(name)]))
  bodies['a']?.emit('data', Buffer.alloc(80_000))
  bodies['b']?.emit('data', Buffer.alloc(10_000))
  bodies['b']?.emit('data', Buffer.alloc(60_000))
  bodies['b']?.emit('end')
  bodies['c']?.emit('data', Buffer.alloc(10_000))
  bodies['c']?.emit('end')
  expect(calls.splice(0)).toEqual(['b has no room', 'c has 10000'])
  // The peer of the first one has left.
  bodies['a']?.emit('close')
  bodies['d']?.emit('data', Buffer.alloc(110_000))
  bodies['d']?.emit('end')
  expect(calls).toEqual(['d has 110000'])
})
