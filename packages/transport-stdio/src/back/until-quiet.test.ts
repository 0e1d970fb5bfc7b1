import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { untilQuiet } from './until-quiet.ts'

const quietMs = 50
const never = Promise.withResolvers<void>().promise

let writer: Socket
let reader: Socket
let pieces: number

beforeEach(async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  reader = connect(port, '127.0.0.1')
  ;[writer] = (await once(server, 'connection')) as [Socket]
  server.close()
  pieces = 0
})

afterEach(() => {
  writer.destroy()
  reader.destroy()
})

function busy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('what has arrived while other work took longer is read first', async () => {
  reader.on('data', () => (pieces += 1))
  const quiet = untilQuiet(never, () => pieces, quietMs)
  await new Promise((resolve) => writer.write('output', resolve))
  busy(2 * quietMs)
  await quiet
  expect(pieces).toBe(1)
})

test('more is waited for while there is more, also when each piece takes longer', async () => {
  const most = 5
  reader.on('data', () => {
    pieces += 1
    if (pieces < most) writer.write('output')
    busy(2 * quietMs)
  })
  writer.write('output')
  await untilQuiet(never, () => pieces, quietMs)
  expect(pieces).toBe(most)
})

test('output without end is not waited for', async () => {
  reader.on('data', () => {
    pieces += 1
    writer.write('output')
  })
  writer.write('output')
  await untilQuiet(never, () => pieces, 5)
  expect(pieces).toBeGreaterThan(1)
})

test('a program that is done is not waited for', async () => {
  await expect(untilQuiet(Promise.resolve(), () => pieces, 2 ** 31 - 1)).resolves.toBeUndefined()
})
