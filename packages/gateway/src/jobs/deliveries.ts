import { randomBytes } from 'node:crypto'
import type { Closer, Fabric, Handler } from '@junctor/exchange'
import { streamOf } from '../front/session-outlet.ts'
import { emptyOutcome } from '../router/empty-outcome.ts'
import type { HomeSession } from '../sessions/home-session.ts'
import type { StreamTable } from '../streams/stream-table.ts'
import type { Delivered } from './delivered.ts'
import { readParcel } from './delivered.ts'
import type { OutboxParts } from './outbox.ts'
import { deliverService, Outbox } from './outbox.ts'

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

/** Other nodes whose last parcel is remembered, so that what comes again is not taken again. */
const senders = 1_024

interface Mailbox {
  /** The jobs whose answers came last, oldest first. A list, because it is hardly ever searched. */
  readonly answered: string[]
  /** Answers that wait for the rest of their batch. */
  readonly batches: Map<string, string[]>
}

/**
 * A job's answer may be delivered twice, when the node that ran it died on the way: the home, which every delivery
 * passes, takes the first.
 */
export function createDeliveries(
  parts: OutboxParts & { readonly fabric: Pick<Fabric, 'serve'> },
  home: (session: string) => HomeSession | undefined,
  streams: StreamTable,
): Deliveries {
  const { fabric } = parts
  const mailboxes = new WeakMap<HomeSession, Mailbox>()
  const outboxes = new Map<string, Outbox>()
  /** The number of the last parcel of each outbox of others. */
  const received = new Map<string, number>()

  const mailboxOf = (session: HomeSession): Mailbox => {
    let mailbox = mailboxes.get(session)
    if (mailbox === undefined) {
      mailbox = { answered: [], batches: new Map() }
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

  const outboxTo = (node: string): Outbox => {
    let outbox = outboxes.get(node)
    if (outbox === undefined) {
      outbox = new Outbox(node, `${fabric.node}-${randomBytes(9).toString('base64url')}`, parts)
      outboxes.set(node, outbox)
    }
    return outbox
  }

  const take: Handler = (request) => {
    const parcel = readParcel(request.params?.value())
    if (parcel !== undefined && parcel.number > (received.get(parcel.from) ?? 0)) {
      received.delete(parcel.from)
      // The one that was silent for longest is the first.
      if (received.size >= senders) received.delete(received.keys().next().value ?? '')
      received.set(parcel.from, parcel.number)
      parcel.frames.forEach(receive)
    }
    return emptyOutcome
  }

  return {
    deliver(node, frame) {
      if (node !== fabric.node) return outboxTo(node).add(frame)
      receive(frame)
      return undefined
    },
    arrived: async (node) => outboxes.get(node)?.arrived() ?? true,
    lost(node) {
      if (outboxes.get(node)?.isEmpty === true) outboxes.delete(node)
    },
    serve: () => fabric.serve(deliverService, take),
    close() {
      for (const outbox of outboxes.values()) outbox.close()
    },
  }
}

/** What is to be said now that an answer is there; empty: nothing yet, or nothing at all. */
function answerOf({ answered, batches }: Mailbox, { job, text, again, batch }: Delivered): string {
  if (again && answered.includes(job)) return ''
  if (answered.push(job) === 2 * remembered) answered.splice(0, remembered)
  if (batch === undefined) return text
  const texts = batches.get(batch.id) ?? []
  texts.push(text)
  if (texts.length < batch.size) {
    batches.set(batch.id, texts)
    return ''
  }
  batches.delete(batch.id)
  const said = texts.filter((one) => one !== '')
  return said.length === 0 ? '' : `[${said.join(',')}]`
}
