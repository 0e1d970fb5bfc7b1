import type { Closer } from '@junctor/exchange'
import { streamOf } from '../front/session-outlet.ts'
import type { ParcelParts } from '../nodes/parcels.ts'
import { createParcels } from '../nodes/parcels.ts'
import type { HomeSession } from '../sessions/home-session.ts'
import type { StreamTable } from '../streams/stream-table.ts'
import type { Delivered } from './delivered.ts'
import { readDelivered } from './delivered.ts'

/** Puts frames of jobs on the own streams of sessions, wherever these are at home. */
export interface Deliveries {
  /**
   * In order, for each home. A promise: so much is on its way that whoever has more to say is to wait.
   *
   * @param home the node where the session is at home. A session that has ended has no use for the frame.
   */
  deliver(home: string, frame: Delivered): Promise<void> | undefined
  /** Resolves when the home has all that was for it so far, or is lost. False: this node closes, and nobody knows. */
  arrived(home: string): Promise<boolean>
  /** A node has left. Should it have been away only, it is found again. */
  lost(node: string): void
  /** Takes what other nodes have for sessions that are at home here. */
  serve(): Promise<Closer>
  /** Brings nothing more. */
  close(): void
}

/** Answers of jobs that a session remembers to have had, at least: more than can be on their way twice at once. */
const remembered = 1_024

interface Mailbox {
  /** The jobs whose answers came last. */
  answered: Set<string>
  /** Those before them. */
  answeredBefore: Set<string>
  /** Answers that wait for the rest of their batch, each behind its place in it: `3 {"jsonrpc":...}`. */
  readonly batches: Map<string, string[]>
}

/**
 * A job's answer may be delivered twice, when the node that ran it died on the way or lost its lease: the home, which
 * every delivery passes, takes the first.
 */
export function createDeliveries(
  parts: ParcelParts,
  home: (session: string) => HomeSession | undefined,
  streams: StreamTable,
): Deliveries {
  const mailboxes = new WeakMap<HomeSession, Mailbox>()

  const mailboxOf = (session: HomeSession): Mailbox => {
    let mailbox = mailboxes.get(session)
    if (mailbox === undefined) {
      mailbox = { answered: new Set(), answeredBefore: new Set(), batches: new Map() }
      mailboxes.set(session, mailbox)
    }
    return mailbox
  }

  const receive = (frame: Delivered): void => {
    const session = home(frame.session)
    if (session === undefined || session.ended) return
    const text = frame.last ? answerOf(mailboxOf(session), frame) : frame.text
    if (text !== '') void streamOf(session, streams).append(text, false)
  }

  const parcels = createParcels<Delivered>(parts, { service: '$deliver', read: readDelivered, take: receive })

  return {
    deliver(node, frame) {
      if (node !== parts.fabric.node) return parcels.send(node, frame)
      receive(frame)
      return undefined
    },
    arrived: (node) => parcels.arrived(node),
    lost: (node) => parcels.lost(node),
    serve: () => parcels.serve(),
    close: () => parcels.close(),
  }
}

/** What is to be said now that an answer is there; empty: nothing yet, or nothing at all. */
function answerOf(mailbox: Mailbox, { job, text, batch }: Delivered): string {
  const { answered, answeredBefore, batches } = mailbox
  if (answered.has(job) || answeredBefore.has(job)) return ''
  answered.add(job)
  if (answered.size === remembered) {
    mailbox.answeredBefore = answered
    mailbox.answered = new Set()
  }
  if (batch === undefined) return text
  const texts = batches.get(batch.id) ?? []
  texts.push(`${batch.at} ${text}`)
  if (texts.length < batch.size) {
    batches.set(batch.id, texts)
    return ''
  }
  batches.delete(batch.id)
  const ordered = texts.toSorted((one, other) => Number.parseInt(one) - Number.parseInt(other))
  const said = ordered.map((one) => one.slice(one.indexOf(' ') + 1)).filter((one) => one !== '')
  return said.length === 0 ? '' : `[${said.join(',')}]`
}
