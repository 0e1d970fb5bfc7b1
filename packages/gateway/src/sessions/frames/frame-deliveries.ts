import type { Closer } from '@junctor/contracts'
import {
  createReliableOutboxes,
  type ReliableOutboxes,
  type ReliableOutboxParts,
} from '../../nodes/reliable-outboxes.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import type { HomeFinder } from '../home/home-finder.ts'
import type { SessionTable } from '../session/session-table.ts'
import type { StreamTable } from '../streams/stream-table.ts'
import { type JobFrame, readJobFrame } from '../../jobs/delivery/job-frame.ts'
import type { JobDelivery } from '../../jobs/delivery/job-delivery.ts'
import { createFrameReceiver, type FrameReceiver } from './frame-receiver.ts'
import { createPieceWindows } from './piece-windows.ts'
import { createTakenFrames } from './taken-frames.ts'

/** Delivers frames of jobs to sessions, on this node or on others, and receives the frames that other nodes deliver. */
export interface FrameDeliveries
  extends
    JobDelivery,
    Omit<FrameReceiver, 'receive' | 'deliver' | 'taken'>,
    Pick<ReliableOutboxes<JobFrame>, 'settled' | 'lost' | 'leave'> {
  /** Receives the frames of other nodes for sessions whose home is this node. */
  serve(): Promise<readonly Closer[]>
}

/** Finds the home node of a session. */
export interface DeliverySessions {
  readonly table: Pick<SessionTable, 'peek' | 'otherHome'>
  readonly finder: Pick<HomeFinder, 'homeOf'>
}

/** Creates the deliveries to the homes of sessions. */
export function createFrameDeliveries(
  parts: ReliableOutboxParts,
  { table, finder }: DeliverySessions,
  streams: StreamTable,
): FrameDeliveries {
  const frames = createFrameReceiver(table, streams, (home, frame) => void outboxes.send(home, frame))
  const outboxes = createReliableOutboxes<JobFrame>(parts, {
    service: serviceNames.deliver,
    data: 'job_frame',
    read: readJobFrame,
    take: frames.receive,
  })

  const asking = createTakenFrames(parts, outboxes, frames, table)
  const windows = createPieceWindows(asking.taken)

  const deliver = (node: string, frame: JobFrame): Promise<void> | undefined => {
    const isHere = node === parts.fabric.node
    const sent = isHere ? frames.deliver(frame) : outboxes.send(node, frame)
    // A session that was handed over has another home than its jobs here know.
    const home = isHere ? table.otherHome(frame.session) : node
    if (home === undefined) return sent
    const room = windows.count(home, frame)
    return sent === undefined ? room : sent.then(() => room)
  }

  return {
    deliver,
    async deliverSurely(last, frame) {
      const known = finder.homeOf(frame.session, last)
      let home = known instanceof Promise ? await known : known
      windows.end(frame.job)
      // Frames that were sent before went to the earlier home, which forwards them: they must be there first.
      if (home !== last && last !== parts.fabric.node) await asking.taken(last, frame)
      void deliver(home, frame)
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one home after the other
        if (!(await outboxes.arrived(home))) return false
        // A node that is present and has received the frame is responsible for the rest.
        // oxlint-disable-next-line no-await-in-loop
        if (home === parts.fabric.node || (await parts.isPresent(home))) return true
        // oxlint-disable-next-line no-await-in-loop
        const next = await finder.homeOf(frame.session, home)
        if (next === home) return true
        home = next
        void deliver(home, frame)
      }
    },
    hold: (session) => frames.hold(session),
    release: (session) => frames.release(session),
    setMailbox: (session, mailbox) => frames.setMailbox(session, mailbox),
    settled: () => outboxes.settled(),
    lost: (node) => outboxes.lost(node),
    leave: (hasSuccessor) => outboxes.leave(hasSuccessor),
    serve: () => Promise.all([outboxes.serve(), asking.serve()]),
    close: () => outboxes.close(),
  }
}
