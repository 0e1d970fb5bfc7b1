import { once } from 'node:events'
import { connect } from 'node:net'
import { HttpResponseReader } from './http-response.ts'
import type { Lane } from './lane.ts'
import { createSocketLane } from './socket-lane.ts'

/** Opens kept-alive connections to a port of this machine. */
export function openHttpLanes(port: number, count: number): Promise<readonly Lane[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port, host: '127.0.0.1' })
      await once(socket, 'connect')
      const reader = new HttpResponseReader()
      return createSocketLane(socket, (chunk, { listener }) => {
        const response = reader.push(chunk)
        if (response === undefined) return
        if (response.status < 300) listener?.answered(response)
        else listener?.failed(`HTTP ${response.status} ${response.body}`)
      })
    }),
  )
}
