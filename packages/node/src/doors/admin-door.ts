import type { AdminListenConfig } from '@junctor/config'
import type { Fabric, Log } from '@junctor/contracts'
import type { Readiness } from '@junctor/telemetry'
import { createAdmin } from '@junctor/telemetry'
import type { Address } from '../address.ts'
import type { AskEvents } from '../cluster/node-events.ts'
import type { NodeStatus } from '../node-status.ts'
import type { NodeTelemetry } from '../node-telemetry.ts'

/** The way in for whoever runs a node, if its configuration has one. */
export interface AdminDoor {
  /** Opens it. Rejects with `LISTEN_FAILED`. */
  listen(): Promise<Address | undefined>
  /** What it says from now on when it is asked whether the node is ready. At first: that it is starting. */
  become(readiness: Readiness): void
  close(): Promise<void>
}

export interface AdminDoorParts {
  readonly listen: AdminListenConfig | undefined
  readonly fabric: Pick<Fabric, 'readings'>
  readonly telemetry: Pick<NodeTelemetry, 'events' | 'metrics'>
  readonly status: () => Promise<NodeStatus>
  readonly allEvents: AskEvents
  readonly log: Log
}

export function createAdminDoor({ listen, fabric, telemetry, status, allEvents, log }: AdminDoorParts): AdminDoor {
  const { events, metrics } = telemetry
  let readiness: Readiness = { ready: false, reason: 'starting' }
  // Without the others, and without storage, a node can open no session and keep no job: those that can are to be asked.
  const ready = (): Readiness => {
    const { problem, isStranger } = fabric.readings()
    if (!readiness.ready || problem === undefined) return readiness
    return { ready: false, reason: isStranger ? 'wrong_cluster_key' : 'fabric_unavailable' }
  }
  const admin = listen && createAdmin({ listen, ready, status, events, allEvents, metrics, log })
  return {
    listen: async () => admin?.listen(),
    become(next) {
      readiness = next
    },
    close: async () => admin?.close(),
  }
}
