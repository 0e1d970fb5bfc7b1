import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '@junctor/config'
import { createStreamShares, streamSharesOf } from '@junctor/connection'
import type { Log } from '@junctor/contracts'
import type { Gateway } from '@junctor/gateway'
import { defaultHttpLimits } from '@junctor/transport-http/limits'
import type { StdioServer } from '@junctor/transport-stdio/front'
import { serveStdio } from '@junctor/transport-stdio/front'
import type { Address } from '../address.ts'
import { chosen, defaultDrainDelayMs, frameBounds, streamShareNames } from '../limits.ts'
import type { Bus } from '../open-fabric.ts'
import type { AdminDoor } from './admin-door.ts'
import { openBusDoor } from './bus-door.ts'
import type { ClientDoorParts, OpenFront } from './client-door.ts'
import { drainGateway } from './drain-gateway.ts'
import { openHttpDoor } from './http-door.ts'

/** The ways into a node: for clients, and for whoever runs it. */
export interface Doors {
  /** Opens what the configuration says. Rejects with `LISTEN_FAILED` or `CONFIG_INVALID`. */
  listen(): Promise<{ readonly http: Address; readonly admin: Address | undefined }>
  /** Opens the admin port alone, for a node that serves standard streams. Rejects with `LISTEN_FAILED`. */
  listenAdmin(): Promise<Address | undefined>
  /** Serves one client on a pair of streams. */
  serveStdio(input: Readable, output: Writable): StdioServer
  /** Lets nobody in any more, answers what is under way. The admin port goes on telling that the node is not ready. */
  close(): Promise<void>
}

export interface DoorParts {
  readonly config: Config
  readonly gateway: Pick<Gateway, 'front' | 'retire' | 'keepPromises' | 'drain' | 'leave'>
  readonly admin: AdminDoor
  /** Absent: the node is on none. */
  readonly bus: Bus | undefined
  readonly log: Log
}

export function createDoors({ config, gateway, admin, bus, log }: DoorParts): Doors {
  const { listen, limits } = config
  const { graceMs = defaultHttpLimits.graceMs, drainDelayMs = defaultDrainDelayMs } = limits
  const { connections = defaultHttpLimits.connections } = limits
  const shares = createStreamShares({ ...streamSharesOf(connections), ...chosen(limits, streamShareNames) })
  const { front } = gateway
  const parts: ClientDoorParts = { config, front, frame: frameBounds(limits), shares, log }
  const fronts = new Set<OpenFront>()
  const closing = new AbortController()
  let isListening = false

  return {
    async listen() {
      // Whoever waits for it to be ready can ask from the beginning.
      const opened = await admin.listen()
      const http = await openHttpDoor(parts, fronts, closing.signal)
      isListening = true
      if (listen.nats) await openBusDoor(parts, fronts, bus)
      admin.become({ ready: true })
      return { http, admin: opened }
    },
    async listenAdmin() {
      admin.become({ ready: true })
      return admin.listen()
    },
    serveStdio(input, output) {
      const server = serveStdio({ front, input, output, log, limits: { frame: parts.frame } })
      fronts.add(server)
      void server.closed.then(() => fronts.delete(server))
      return server
    },
    async close() {
      closing.abort()
      admin.become({ ready: false, reason: 'draining' })
      gateway.retire()
      // Whoever sends clients here has to see first that the node is not ready.
      if (isListening && drainDelayMs > 0) await delay(drainDelayMs)
      await drainGateway(gateway, fronts, graceMs)
    },
  }
}
