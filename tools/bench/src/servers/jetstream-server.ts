import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { announce } from './announce.ts'
import { type LeanMessage, resultOf } from './answer.ts'

// A hand-written server on node:http that answers a call when JetStream has acknowledged it: the minimal cost of
// accepting a job. Its first argument is the port of NATS.

const connection = await connect({ servers: `127.0.0.1:${process.argv[2]}` })
const manager = await jetstreamManager(connection)
await manager.streams.add({ name: 'promises', subjects: ['promises'], storage: StorageType.File })
const stream = jetstream(connection)

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => void answer(body, response))
})

async function answer(body: string, response: ServerResponse): Promise<void> {
  const message = JSON.parse(body) as LeanMessage
  await stream.publish('promises', body)
  const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port))
