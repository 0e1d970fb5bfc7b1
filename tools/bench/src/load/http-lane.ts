import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { HttpResponseReader } from './http-response.ts'
import type { Lane, LaneListener } from './lane.ts'

/** A kept-alive connection to a server on this machine, without a client library that would cost more than the server. */
class HttpLane implements Lane {
  listener: LaneListener | undefined = undefined
  readonly #socket: Socket
  readonly #reader = new HttpResponseReader()

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => {
      const response = this.#reader.push(chunk)
      if (response === undefined) return
      if (response.status < 300) this.listener?.answered(response)
      else this.listener?.failed(`HTTP ${response.status} ${response.body}`)
    })
    socket.on('error', (error) => this.listener?.failed(error.message))
    socket.once('close', () => this.listener?.failed('the server closed the connection'))
  }

  send(request: Uint8Array): void {
    this.#socket.write(request)
  }

  close(): void {
    this.listener = undefined
    this.#socket.destroy()
  }
}

/** Opens connections to a port of this machine. */
export function openHttpLanes(port: number, count: number): Promise<readonly Lane[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port, host: '127.0.0.1' })
      await once(socket, 'connect')
      return new HttpLane(socket)
    }),
  )
}
