import type { Closer } from '@junctor/contracts'
import { streamOf } from './session-outlet.ts'
import type { ParcelParts } from '../nodes/parcels.ts'
import { createParcels } from '../nodes/parcels.ts'
import { serviceNames } from '../nodes/service-names.ts'
import type { HomeSession } from './home-session.ts'
import type { HomeFinder } from './home-finder.ts'
import type { SessionTable } from './session-table.ts'
import type { StreamTable } from './streams/stream-table.ts'
import type { Delivered } from '../jobs/delivered.ts'
import type { JobDelivery } from '../jobs/job-delivery.ts'
import { readDelivered } from '../jobs/delivered.ts'
import { answerOf, createMailbox } from './mailbox.ts'
import type { Mailbox } from './mailbox.ts'

/** Delivers frames of jobs to sessions, of which some are at home here, and takes what other nodes deliver. */
export interface Deliveries extends JobDelivery {
  /** What comes for a session at home here waits from now on. The mailbox is the session's next home's. */
  hold(session: HomeSession): Mailbox
  /** What was held goes on: to the session's stream here, or to its next home. */
  letGo(session: HomeSession): void
  /** The session was at home at another node, where it had this mailbox. */
  takeIn(session: HomeSession, mailbox: Mailbox): void
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

/**
 * A job's answer may be delivered twice, when the node that ran it died on the way or lost its lease: the home, which
 * every delivery passes, takes the first.
 */
export function createDeliveries(
  parts: ParcelParts,
  { table, finder }: DeliverySessions,
  streams: StreamTable,
): Deliveries {
  const mailboxes = new WeakMap<HomeSession, Mailbox>()
  const held = new Map<string, Delivered[]>()

  const mailboxOf = (session: HomeSession): Mailbox => {
    const known = mailboxes.get(session)
    if (known !== undefined) return known
    const mailbox = createMailbox()
    mailboxes.set(session, mailbox)
    return mailbox
  }

  const receive = (frame: Delivered): void => {
    const waiting = held.get(frame.session)
    if (waiting !== undefined) return void waiting.push(frame)
    const session = table.peek(frame.session)
    if (session === undefined) {
      const next = table.elsewhere(frame.session)
      if (next !== undefined) void parcels.send(next.home, frame)
      return
    }
    if (session.ended) return
    const text = frame.last ? answerOf(mailboxOf(session), frame) : frame.text
    if (text !== '') void streamOf(session, streams).append(text, false)
  }

  const parcels = createParcels<Delivered>(parts, { service: serviceNames.deliver, read: readDelivered, take: receive })

  const deliver = (node: string, frame: Delivered): Promise<void> | undefined => {
    if (node !== parts.fabric.node) return parcels.send(node, frame)
    receive(frame)
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
    hold(session) {
      held.set(session.id, [])
      return mailboxOf(session)
    },
    letGo({ id }) {
      const waiting = held.get(id) ?? []
      held.delete(id)
      waiting.forEach(receive)
    },
    takeIn: (session, mailbox) => void mailboxes.set(session, mailbox),
    settled: () => parcels.settled(),
    lost: (node) => parcels.lost(node),
    leave: () => parcels.leave(),
    serve: () => parcels.serve(),
    close: () => parcels.close(),
  }
}
