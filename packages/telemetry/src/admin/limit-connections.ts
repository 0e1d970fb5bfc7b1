import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Limits the open connections of a server. One above the limit takes the place of the connection that has been without
 * a request for longest, so that health checks are answered even when others keep many connections open. When every
 * connection has a request, the new one is closed.
 */
export function limitConnections(server: Server, most: number): void {
  /** The connections without a request. The first has been without one for longest. */
  const idle = new Set<Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count += 1
    idle.add(socket)
    socket.once('close', () => {
      count -= 1
      idle.delete(socket)
    })
    if (count <= most) return
    const [longest = socket] = idle
    idle.delete(longest)
    longest.destroy()
  })
  server.on('request', ({ socket }, response) => {
    idle.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket)
    })
  })
}
