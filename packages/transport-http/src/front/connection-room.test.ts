import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { ConnectionRoom } from './connection-room.ts'

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  readonly remotePort: number
  isDestroyed = false

  constructor(remoteAddress: string, remotePort: number) {
    super()
    this.remoteAddress = remoteAddress
    this.remotePort = remotePort
  }

  destroy(): void {
    this.isDestroyed = true
    this.emit('close')
  }
}

function open(room: ConnectionRoom, address: string, count: number): FakeSocket[] {
  return Array.from({ length: count }, (_, port) => {
    const socket = new FakeSocket(address, port + 1)
    room.take(socket)
    return socket
  })
}

test('the oldest silent connection of whoever has most of them makes room', () => {
  const room = new ConnectionRoom({ connections: 5, connectionsOfAddress: 4 })
  const many = open(room, 'a', 3)
  const few = open(room, 'b', 2)
  const [next] = open(room, 'c', 1)
  expect([...many, ...few].map(({ isDestroyed }) => isDestroyed)).toEqual([true, false, false, false, false])
  expect(next && room.heard(next)).toBe(true)
})

test('what was served is not ended for others: one more is refused', () => {
  const room = new ConnectionRoom({ connections: 2, connectionsOfAddress: 2 })
  const served = open(room, 'a', 2)
  expect(served.map((socket) => room.heard(socket))).toEqual([true, true])
  const [refused] = open(room, 'b', 1)
  expect(refused && room.heard(refused)).toBe(false)
  expect(served.some(({ isDestroyed }) => isDestroyed)).toBe(false)
  served[0]?.destroy()
  refused?.destroy()
  const [next] = open(room, 'b', 1)
  expect(next && room.heard(next)).toBe(true)
})

test('one address leaves room for others, and what it has over its share is its own loss', () => {
  const room = new ConnectionRoom({ connections: 4, connectionsOfAddress: 3 })
  const all = open(room, 'a', 4)
  expect(all.map(({ isDestroyed }) => isDestroyed)).toEqual([true, false, false, false])
  expect(all.slice(1).map((socket) => room.heard(socket))).toEqual([true, true, true])
  const [other] = open(room, 'b', 1)
  expect(other && room.heard(other)).toBe(true)
})
