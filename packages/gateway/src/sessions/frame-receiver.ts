import type { JobFrame } from '../jobs/delivery/job-frame.ts'
import type { HomeSession } from './home-session.ts'
import { answerOf, createMailbox } from './mailbox.ts'
import type { Mailbox } from './mailbox.ts'
import { streamOf } from './session-outlet.ts'
import type { SessionTable } from './session-table.ts'
import type { StreamTable } from './streams/stream-table.ts'

/**
 * Puts frames of jobs on the streams of sessions whose home is this node. A job's answer may be delivered twice: when
 * the node that ran it died during the delivery, or lost its lease. Every delivery goes through the home node, which
 * takes the first.
 */
export interface FrameReceiver {
  /** Takes a frame. Drops it when the session has ended; forwards it when the session was handed over. */
  readonly receive: (frame: JobFrame) => void
  /** From now on, frames for this session wait. Returns the session's mailbox, for its next home. */
  hold(session: HomeSession): Mailbox
  /** Delivers the waiting frames: to the session's stream here, or to its next home. */
  release(session: HomeSession): void
  /** Sets the mailbox of a session that this node adopted from another. */
  setMailbox(session: HomeSession, mailbox: Mailbox): void
}

/** @param sendOn sends a frame to the current home node of its session */
export function createFrameReceiver(
  table: Pick<SessionTable, 'peek' | 'otherHome'>,
  streams: StreamTable,
  sendOn: (home: string, frame: JobFrame) => void,
): FrameReceiver {
  const mailboxes = new WeakMap<HomeSession, Mailbox>()
  const held = new Map<string, JobFrame[]>()

  const mailboxOf = (session: HomeSession): Mailbox => {
    const known = mailboxes.get(session)
    if (known !== undefined) return known
    const mailbox = createMailbox()
    mailboxes.set(session, mailbox)
    return mailbox
  }

  const receive = (frame: JobFrame): void => {
    const waiting = held.get(frame.session)
    if (waiting !== undefined) return void waiting.push(frame)
    const session = table.peek(frame.session)
    if (session === undefined) {
      const next = table.otherHome(frame.session)
      if (next !== undefined) sendOn(next, frame)
      return
    }
    if (session.ended) return
    const text = frame.last ? answerOf(mailboxOf(session), frame) : frame.text
    if (text !== '') void streamOf(session, streams).append(text, false)
  }

  return {
    receive,
    hold(session) {
      held.set(session.id, [])
      return mailboxOf(session)
    },
    release({ id }) {
      const waiting = held.get(id) ?? []
      held.delete(id)
      waiting.forEach(receive)
    },
    setMailbox: (session, mailbox) => void mailboxes.set(session, mailbox),
  }
}
