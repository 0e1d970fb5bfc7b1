import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { judge, type RowResult } from './compare.ts'
import { type Endpoint, encodePost } from './load/sessions.ts'
import { encodeFrame, FrameReader } from './load/web-socket-frame.ts'
import { openSocket } from './load/web-socket-lane.ts'
import type { StreamRow } from './rows.ts'
import { startServers } from './start-servers.ts'
import { createLineSplitter } from './servers/line-splitter.ts'
import { spread } from './statistics.ts'
import { subjectNamed } from './subjects.ts'

/** Reads one stream after the other, as fast as possible, each on its own connection. The first does not count. */
export async function measureStream(row: StreamRow, rounds: number, most: number): Promise<RowResult> {
  const { name, title, bar } = row
  const subject = subjectNamed(row.subject)
  const servers = await startServers([subject])
  const endpoint = { path: '/mcp', ...subject.address, port: servers.of(subject).port ?? 0 }
  const pieces = Math.min(row.pieces, most)
  const speeds: number[] = []
  try {
    for (let round = 0; round <= rounds; round++) {
      const start = performance.now()
      // oxlint-disable-next-line no-await-in-loop
      await (subject.wire === 'websocket' ? readSocket(endpoint, pieces) : readLines(endpoint, pieces))
      if (round > 0) speeds.push((1000 * pieces) / (performance.now() - start))
    }
  } finally {
    await servers.stop()
  }
  const value = spread(speeds)
  return { name, title, baseline: undefined, value, bar, verdict: judge(value.median, bar) }
}

function askFor(pieces: number): string {
  return JSON.stringify({ jsonrpc: '3.0', id: 1, method: 'count', params: [pieces], options: { stream: true } })
}

async function readSocket(endpoint: Endpoint, pieces: number): Promise<void> {
  const socket = await openSocket(endpoint)
  const reader = new FrameReader()
  const ended = readPieces(socket, pieces, (chunk, text) => reader.push(chunk, text))
  socket.write(encodeFrame(askFor(pieces)))
  await ended
}

async function readLines(endpoint: Endpoint, pieces: number): Promise<void> {
  const socket = connect({ port: endpoint.port, host: '127.0.0.1' })
  await once(socket, 'connect')
  const split = createLineSplitter()
  const ended = readPieces(socket, pieces, (chunk, text) => {
    for (const line of split(chunk.toString('latin1'))) if (line.startsWith('{')) text(line)
  })
  socket.write(encodePost({ ...endpoint, accept: 'application/json, application/x-ndjson' }, undefined)(askFor(pieces)))
  await ended
}

/** Resolves when the stream has ended with the expected pieces in order. */
function readPieces(
  socket: Socket,
  pieces: number,
  split: (chunk: Buffer, text: (text: string) => void) => void,
): Promise<void> {
  let number = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const take = (text: string): void => {
    if (text.startsWith(`{"jsonrpc":"3.0","stream":{"id":1,"data":"${number + 1} of`)) number += 1
    else if (number === pieces && text === '{"jsonrpc":"3.0","stream":{"id":1},"result":null}') resolve()
    else reject(new Error(`expected piece ${number + 1}, got ${text.slice(0, 300)}`))
  }
  socket.on('data', (chunk: Buffer) => split(chunk, take))
  socket.once('close', () => reject(new Error(`the server closed the connection after ${number} pieces`)))
  return promise.finally(() => socket.destroy())
}
