import { printedChunkId, printV3Error, type RequestId } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import { keptOr } from '@junctor/primitives'
import type { JobFrame } from '../../jobs/delivery/job-frame.ts'
import type { HomeSession } from '../session/home-session.ts'
import { answerOf, createMailbox, isAnswered, type Mailbox } from './mailbox.ts'
import { createPacedFrames } from './paced-frames.ts'
import { streamOf } from '../session/session-outlet.ts'
import type { SessionTable } from '../session/session-table.ts'
import type { ReplayStream } from '../streams/replay-stream.ts'
import type { StreamTable } from '../streams/stream-table.ts'

/**
 * Puts frames of jobs on the streams of sessions whose home is this node. A job's answer may be delivered twice: when
 * the node that ran it died during the delivery, or lost its lease. Every delivery goes through the home node, which
 * takes the first.
 */
export interface FrameReceiver {
  /**
   * Takes a frame of another node. Drops it when the session has ended; forwards it when the session was handed over. A
   * piece for which there is no room waits for the reader, with the frames of its job behind it. When the node sends on, as
   * one of an earlier version does, the next piece becomes the answer of the job, an error.
   */
  readonly receive: (frame: JobFrame) => void
  /** Resolves when no frame of the job waits for its reader, or for its session. `undefined`: none waits now. */
  readonly taken: (session: string, job: string) => Promise<void> | undefined
  /**
   * Takes a frame of a job that runs here. A piece for which there is no room waits for the reader, with the frames behind
   * it. Returns a promise while the job must wait.
   */
  readonly deliver: (frame: JobFrame) => Promise<void> | undefined
  /** From now on, frames for this session wait. Returns the session's mailbox, for its next home. */
  hold(session: HomeSession): Mailbox
  /** Delivers the waiting frames: to the session's stream here, or to its next home. */
  release(session: HomeSession): void
  /** Sets the mailbox of a session that this node adopted from another. */
  setMailbox(session: HomeSession, mailbox: Mailbox): void
}

/**
 * The most frames of one job of another node that wait for a reader: more than such a job sends before it waits.
 */
const mostWaiting = 256

/** The frames of a session that is being handed over. */
interface HeldFrames {
  readonly frames: JobFrame[]
  /** Resolves when they are delivered. */
  readonly released: PromiseWithResolvers<void>
}

/** The answer of a stream that is too far ahead of its reader. */
function crowdedText({ context, tenant }: HomeSession, id: RequestId): string {
  const view = { revision: context.revision, dialect: '3.0', profile: tenant.tenant.profile } as const
  const message =
    'The stream is too far ahead of its reader: half of limits.streamEntries or limits.streamCharacters waits for it'
  return printV3Error(id, wireError('too_large', view, { message }), true)
}

/** The text for the stream of a session. A piece for which there is no room becomes the answer of its job: an error. */
function textFor(session: HomeSession, stream: ReplayStream, mailbox: Mailbox, frame: JobFrame): string {
  if (frame.last) return answerOf(mailbox, frame)
  const id = printedChunkId(frame.text)
  if (id === undefined) return frame.text
  if (isAnswered(mailbox, frame.job)) return ''
  return stream.isCrowded ? answerOf(mailbox, { ...frame, text: crowdedText(session, id) }) : frame.text
}

/** @param sendOn sends a frame to the current home node of its session */
export function createFrameReceiver(
  table: Pick<SessionTable, 'peek' | 'otherHome'>,
  streams: StreamTable,
  sendOn: (home: string, frame: JobFrame) => void,
): FrameReceiver {
  const mailboxes = new WeakMap<HomeSession, Mailbox>()
  const held = new Map<string, HeldFrames>()

  const mailboxOf = (session: HomeSession): Mailbox => keptOr(mailboxes, session, createMailbox)

  const put = (frame: JobFrame): void => {
    const kept = held.get(frame.session)
    if (kept !== undefined) return void kept.frames.push(frame)
    const session = table.peek(frame.session)
    if (session === undefined) {
      const next = table.otherHome(frame.session)
      if (next !== undefined) sendOn(next, frame)
      return
    }
    if (session.ended) return
    const stream = streamOf(session, streams)
    const text = textFor(session, stream, mailboxOf(session), frame)
    if (text !== '') void stream.append(text, false)
  }

  /** Whether a piece has to wait for the reader of its session. */
  const mustWait = (frame: JobFrame): boolean => {
    if (frame.last || printedChunkId(frame.text) === undefined || held.has(frame.session)) return false
    const session = table.peek(frame.session)
    if (session === undefined || session.ended || isAnswered(mailboxOf(session), frame.job)) return false
    return streamOf(session, streams).isCrowded
  }

  const paced = createPacedFrames(mustWait, put)

  return {
    receive(frame) {
      if (paced.waiting(frame.session, frame.job) < mostWaiting) void paced.deliver(frame)
      else put(frame)
    },
    taken(session, job) {
      const kept = held.get(session)
      return kept === undefined
        ? paced.taken(session, job)
        : kept.released.promise.then(() => paced.taken(session, job))
    },
    deliver: paced.deliver,
    hold(session) {
      held.set(session.id, { frames: paced.withdraw(session.id), released: Promise.withResolvers<void>() })
      return mailboxOf(session)
    },
    release({ id }) {
      const kept = held.get(id)
      held.delete(id)
      for (const frame of kept?.frames ?? []) void paced.deliver(frame)
      kept?.released.resolve()
    },
    setMailbox: (session, mailbox) => void mailboxes.set(session, mailbox),
  }
}
