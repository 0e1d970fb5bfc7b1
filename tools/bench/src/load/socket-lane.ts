import type { Socket } from 'node:net'
import type { Lane } from './lane.ts'

/**
 * A lane on a connected socket, without a client library, which would cost more than the server. Closing the lane
 * destroys the socket.
 *
 * @param receive takes what has arrived, and tells the listener of the lane when an answer is complete
 */
export function createSocketLane(socket: Socket, receive: (chunk: Buffer, lane: Lane) => void): Lane {
  const lane: Lane = {
    listener: undefined,
    send: (request) => void socket.write(request),
    close() {
      lane.listener = undefined
      socket.destroy()
    },
  }
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => receive(chunk, lane))
  socket.on('error', (error) => lane.listener?.failed(error.message))
  socket.once('close', () => lane.listener?.failed('the server closed the connection'))
  return lane
}
