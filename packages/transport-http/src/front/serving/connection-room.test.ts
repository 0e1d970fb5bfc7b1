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

test('the oldest silent connection of the address with most of them makes room', () => {
  const room = new ConnectionRoom({ connections: 5, connectionsOfAddress: 4 })
  const many = open(room, 'a', 3)
  const few = open(room, 'b', 2)
  const [next] = open(room, 'c', 1)
  expect([...many, ...few].map(({ isDestroyed }) => isDestroyed)).toEqual([true, false, false, false, false])
  expect(next && room.markActive(next)).toBe(true)
})

test('a connection that was served is not closed for others: a new one is refused', () => {
  const room = new ConnectionRoom({ connections: 2, connectionsOfAddress: 2 })
  const served = open(room, 'a', 2)
  expect(served.map((socket) => room.markActive(socket))).toEqual([true, true])
  const [refused] = open(room, 'b', 1)
  expect(refused && room.markActive(refused)).toBe(false)
  expect(served.some(({ isDestroyed }) => isDestroyed)).toBe(false)
  served[0]?.destroy()
  refused?.destroy()
  const [next] = open(room, 'b', 1)
  expect(next && room.markActive(next)).toBe(true)
})

test('one address leaves room for others: above its share it loses its own connections', () => {
  const room = new ConnectionRoom({ connections: 4, connectionsOfAddress: 3 })
  const all = open(room, 'a', 4)
  expect(all.map(({ isDestroyed }) => isDestroyed)).toEqual([true, false, false, false])
  expect(all.slice(1).map((socket) => room.markActive(socket))).toEqual([true, true, true])
  const [other] = open(room, 'b', 1)
  expect(other && room.markActive(other)).toBe(true)
})

test('one IPv6 network counts as one address', () => {
  const room = new ConnectionRoom({ connections: 4, connectionsOfAddress: 2 })
  const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3']
  const all = addresses.flatMap((address) => open(room, address, 1))
  expect(all.map(({ isDestroyed }) => isDestroyed)).toEqual([true, false, false])
  expect(all.slice(1).map((socket) => room.markActive(socket))).toEqual([true, true])
  const [refused] = open(room, '2001:db8::4', 1)
  expect(refused && room.markActive(refused)).toBe(false)
  const [other] = open(room, '2001:db8:0:1::1', 1)
  expect(other && room.markActive(other)).toBe(true)
})

test('an IPv4 address is the same on a socket for both families', () => {
  const room = new ConnectionRoom({ connections: 9, connectionsOfAddress: 1 })
  const [first] = open(room, '192.0.2.7', 1)
  open(room, '::ffff:192.0.2.7', 1)
  expect(first?.isDestroyed).toBe(true)
})
