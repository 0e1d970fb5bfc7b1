import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createComponentServer } from './component-server.ts'

test('a client that never sends the rest of its request does not keep the server from closing', async () => {
  const node = {
    serveStdio: () => {
      throw new Error('nothing is called')
    },
  }
  const server = createComponentServer(node, '1.0.0')
  const { port } = new URL(await server.listen('127.0.0.1', 0))
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  socket.write('POST / HTTP/1.1\r\nhost: here\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{')
  // The server is reading the body.
  await once(socket, 'data')
  const closed = once(socket, 'close')
  await server.close(0)
  await closed
  expect(socket.bytesRead).toBeGreaterThan(0)
})
