import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FixtureGateway } from './gateway-fixture.ts'
import { callOf } from './http-fixture.ts'

/** Resolves when a socket is closed. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('close', () => resolve()))
}

/** Sends the same call several times, pipelined on one connection; the test reads the bytes itself. */
export async function sendRaw(gateway: FixtureGateway, port: number, times = 1): Promise<Socket> {
  const body = callOf('wait')
  const session = gateway.sessions.values().next().value ?? gateway.open('2025-11-25')
  const head = [
    'POST /mcp HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    'accept: */*',
    `mcp-session-id: ${session.id}`,
    `content-length: ${body.length}`,
  ].join('\r\n')
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`${head}\r\n\r\n${body}`.repeat(times))
  return socket
}
