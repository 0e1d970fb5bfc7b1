import type { Fabric, Log } from '@junctor/contracts'
import type { CallContext, Sink } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import { z } from 'zod'
import { askNode, type AskNodeParts } from '../../nodes/ask-node.ts'
import { nodeContext } from '../../nodes/node-context.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import type { Clock } from '../../shared/clock.ts'
import { pause } from '../../shared/pause.ts'
import type { Subscriptions } from '../../upstream/subscriptions/subscriptions.ts'
import { toSessionControl } from '../session-control.ts'
import type { FrameDeliveries } from '../frames/frame-deliveries.ts'
import { writeHandover } from './handover-state.ts'
import type { HomeSession } from '../session/home-session.ts'
import { streamOf } from '../session/session-outlet.ts'
import type { SessionRecords } from '../home/session-records.ts'
import type { SessionTable } from '../session/session-table.ts'
import type { StreamTable } from '../streams/stream-table.ts'

/** How long another node has to take a session, in milliseconds. */
const takeMs = 2_000

/** For how long, and at which interval, the gateway tries to store the new home of a session, in milliseconds. */
const publishMs = 5_000
const againMs = 200

/** Everything that belongs to a session and moves with it, and the nodes that it can move to. */
export interface HandoverParts extends AskNodeParts {
  readonly fabric: Pick<Fabric, 'call' | 'now' | 'send'>
  readonly clock: Clock
  readonly log: Log
  /** The other nodes that accept clients. */
  readonly gateways: () => readonly string[]
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'move'>
  readonly deliveries: FrameDeliveries
  readonly subscriptions: Pick<Subscriptions, 'of'>
  readonly streams: StreamTable
}

/** Hands over sessions from a node that leaves to nodes that stay. */
export interface Handover {
  /** The other nodes that stay and would adopt sessions. */
  successors(): Promise<readonly string[]>
  /**
   * Hands a session over to the first of these nodes that adopts it, with the unread frames of its stream. Afterwards
   * this node forwards its requests to the new home. Returns false when no node adopted it: its home is still this
   * node.
   */
  handOver(session: HomeSession, successors: readonly string[]): Promise<boolean>
}

/** Creates the handover. It tries the successors in their order, until one has adopted the session. */
export function createHandover(parts: HandoverParts): Handover {
  const { table, deliveries, streams } = parts
  return {
    async successors() {
      const asked = parts
        .gateways()
        .map(async (node) => ((await askToAdopt(parts, node, nodeContext, {})) === true ? [node] : []))
      return (await Promise.all(asked)).flat()
    },
    async handOver(session, successors) {
      const mailbox = deliveries.hold(session)
      const own = streamOf(session, streams)
      const stream = own.freeze()
      for (const node of successors) {
        const moves = session.moves + 1
        // If that node adopted the session without confirming it and it stays here, this node counts as the later home.
        session.moves = moves + 1
        const more = { subscriptions: parts.subscriptions.of(session), mailbox, stream }
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const taken = await sendSession(parts, session, node, { moves, ...more })
        const isHere = table.peek(session.id) === session
        if (taken === true && isHere) {
          // oxlint-disable-next-line no-await-in-loop
          await move(parts, session, { node, moves, after: stream.count })
          return true
        }
        // The session has ended meanwhile, or it is unknown whether the node adopted it.
        if (taken !== false)
          void parts.fabric.send(node, toSessionControl({ kind: 'session-left', session: session.id }))
        if (!isHere) break
      }
      own.thaw()
      deliveries.release(session)
      return false
    },
  }
}

/** Returns `undefined` when it is unknown whether the node did it. */
async function askToAdopt(
  parts: AskNodeParts,
  node: string,
  context: CallContext,
  body: JsonValue,
): Promise<boolean | undefined> {
  const question = { node, service: serviceNames.adopt, context, body, answer: z.boolean(), withinMs: takeMs }
  const answer = await askNode(parts, question)
  return answer.kind === 'answered' ? answer.value : undefined
}

/** Returns `undefined` when it is unknown whether the node has the session. */
async function sendSession(
  parts: AskNodeParts,
  session: HomeSession,
  node: string,
  more: Parameters<typeof writeHandover>[1],
): Promise<boolean | undefined> {
  for (const piece of writeHandover(session, more)) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    const taken = await askToAdopt(parts, node, session.context, piece)
    if (taken !== true) return taken
  }
  return true
}

/** The result of a hand-over. */
interface Move {
  readonly node: string
  readonly moves: number
  /** How many frames of its stream the new home received. */
  readonly after: number
}

/**
 * The session's home is the other node from now on. Nodes that do not know it yet still send requests here; this node
 * forwards them.
 */
async function move(parts: HandoverParts, session: HomeSession, to: Move): Promise<void> {
  const { fabric, table, deliveries, streams } = parts
  table.setHome(session.id, to.node)
  const stream = streamOf(session, streams)
  stream.thaw()
  stream.attach(sinkTo(deliveries, session.id, to.node), to.after)
  deliveries.release(session)
  const sent = fabric.send('all', toSessionControl({ kind: 'session-moved', session: session.id, home: to.node }))
  await Promise.all([sent, publish(parts, session, to)])
}

async function publish(
  { clock, log, fabric, records }: HandoverParts,
  session: HomeSession,
  { node, moves }: Move,
): Promise<void> {
  const until = clock.now() + publishMs
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it is stored
      const exists = await records.move(session, node, moves)
      if (!exists) void fabric.send(node, toSessionControl({ kind: 'end', session: session.id }))
      return
    } catch (error) {
      if (clock.now() >= until) return log.error('the new home of a session could not be stored', { error })
      // oxlint-disable-next-line no-await-in-loop
      await pause(againMs)
    }
  }
}

/** Forwards frames of the session's stream on this node to its next home. */
function sinkTo(deliveries: FrameDeliveries, session: string, node: string): Sink {
  return {
    owner: undefined,
    resumable: false,
    open() {},
    send(text) {
      if (text !== '') void deliveries.deliver(node, { session, job: '', text, last: false })
      return undefined
    },
  }
}
