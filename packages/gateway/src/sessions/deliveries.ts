import type { Closer } from '@junctor/contracts'
import type { ParcelParts } from '../nodes/parcels.ts'
import { createParcels } from '../nodes/parcels.ts'
import { serviceNames } from '../nodes/service-names.ts'
import type { HomeFinder } from './home-finder.ts'
import type { SessionTable } from './session-table.ts'
import type { StreamTable } from './streams/stream-table.ts'
import type { Delivered } from '../jobs/delivered.ts'
import type { JobDelivery } from '../jobs/job-delivery.ts'
import { readDelivered } from '../jobs/delivered.ts'
import type { FrameReceiver } from './frame-receiver.ts'
import { createFrameReceiver } from './frame-receiver.ts'

/** Delivers frames of jobs to sessions, of which some are at home here, and takes what other nodes deliver. */
export interface Deliveries extends JobDelivery, Omit<FrameReceiver, 'receive'> {
  /** Resolves when other nodes have all that is for them so far, or are lost. */
  settled(): Promise<unknown>
  /** A node has left. Should it have been away only, it is found again. */
  lost(node: string): void
  /** This node leaves: what it cannot bring soon it does not wait for, and others are to bring. */
  leave(): void
  /** Takes what other nodes have for sessions that are at home here. */
  serve(): Promise<Closer>
}

/** Where sessions are. */
export interface DeliverySessions {
  readonly table: Pick<SessionTable, 'peek' | 'elsewhere'>
  readonly finder: Pick<HomeFinder, 'homeOf'>
}

export function createDeliveries(
  parts: ParcelParts,
  { table, finder }: DeliverySessions,
  streams: StreamTable,
): Deliveries {
  const frames = createFrameReceiver(table, streams, (home, frame) => void parcels.send(home, frame))
  const parcels = createParcels<Delivered>(parts, {
    service: serviceNames.deliver,
    read: readDelivered,
    take: frames.receive,
  })

  const deliver = (node: string, frame: Delivered): Promise<void> | undefined => {
    if (node !== parts.fabric.node) return parcels.send(node, frame)
    frames.receive(frame)
    return undefined
  }

  return {
    deliver,
    async bring(last, frame) {
      const known = finder.homeOf(frame.session, last)
      let home = known instanceof Promise ? await known : known
      // What was said before it took the other way.
      if (home !== last) await parcels.arrived(last)
      void deliver(home, frame)
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one home after the other
        if (!(await parcels.arrived(home))) return false
        // Who is there and has it sees to the rest.
        // oxlint-disable-next-line no-await-in-loop
        if (home === parts.fabric.node || (await parts.isThere(home))) return true
        // oxlint-disable-next-line no-await-in-loop
        const next = await finder.homeOf(frame.session, home)
        if (next === home) return true
        home = next
        void deliver(home, frame)
      }
    },
    hold: (session) => frames.hold(session),
    letGo: (session) => frames.letGo(session),
    takeIn: (session, mailbox) => frames.takeIn(session, mailbox),
    settled: () => parcels.settled(),
    lost: (node) => parcels.lost(node),
    leave: () => parcels.leave(),
    serve: () => parcels.serve(),
    close: () => parcels.close(),
  }
}
