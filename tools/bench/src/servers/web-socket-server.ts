import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { announce } from './announce.ts'
import { type LeanMessage, resultOf } from './answer.ts'

// The echo on bare ws: the minimal cost of an answer over a WebSocket.

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })

server.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as LeanMessage
    if (message.id !== undefined) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }))
    }
  })
})

server.once('listening', () => announce((server.address() as AddressInfo).port))
