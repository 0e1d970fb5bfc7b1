import type { Fabric, Log } from '@junctor/contracts'
import type { CallContext, Sink } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import type { AskNodeParts } from '../nodes/ask-node.ts'
import { askNode } from '../nodes/ask-node.ts'
import { nodeContext } from '../nodes/node-context.ts'
import { serviceNames } from '../nodes/service-names.ts'
import type { Clock } from '../shared/clock.ts'
import { pause } from '../shared/pause.ts'
import type { Subscriptions } from '../upstream/subscriptions/subscriptions.ts'
import { toControl } from './control.ts'
import type { Deliveries } from './deliveries.ts'
import { printHanded } from './handed-session.ts'
import type { HomeSession } from './home-session.ts'
import { streamOf } from './session-outlet.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionTable } from './session-table.ts'
import type { StreamTable } from './streams/stream-table.ts'

/** How long another node has to take a session, in milliseconds. */
const takeMs = 2_000

/** How long, and how often, storing where a session went is tried, in milliseconds. */
const publishMs = 5_000
const againMs = 200

export interface HandOnParts extends AskNodeParts {
  readonly fabric: Pick<Fabric, 'call' | 'now' | 'send'>
  readonly clock: Clock
  readonly log: Log
  /** The other nodes that let clients in. */
  readonly gateways: () => readonly string[]
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'move'>
  readonly deliveries: Deliveries
  readonly subscriptions: Pick<Subscriptions, 'of'>
  readonly streams: StreamTable
}

/** Brings sessions from a node that leaves to one that stays. */
export interface HandOn {
  /** The other nodes that stay. */
  successors(): Promise<readonly string[]>
  /**
   * Hands a session on to the first of these nodes that takes it: with what waits on its stream, and whoever comes for
   * it here is sent on. False: nobody took it, and it is at home here as before.
   */
  handOn(session: HomeSession, successors: readonly string[]): Promise<boolean>
}

export function createHandOn(parts: HandOnParts): HandOn {
  const { table, deliveries, streams } = parts
  return {
    async successors() {
      const asked = parts
        .gateways()
        .map(async (node) => ((await askToAdopt(parts, node, nodeContext, {})) === true ? [node] : []))
      return (await Promise.all(asked)).flat()
    },
    async handOn(session, successors) {
      const mailbox = deliveries.hold(session)
      const own = streamOf(session, streams)
      const stream = own.freeze()
      for (const node of successors) {
        const moves = session.moves + 1
        // Should it be kept here although that node has it, this one is the later home.
        session.moves = moves + 1
        const more = { subscriptions: parts.subscriptions.of(session), mailbox, stream }
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const taken = await bring(parts, session, node, { moves, ...more })
        const isHere = table.peek(session.id) === session
        if (taken === true && isHere) {
          // oxlint-disable-next-line no-await-in-loop
          await move(parts, session, { node, moves, after: stream.count })
          return true
        }
        // It has ended meanwhile, or nobody knows whether it was taken.
        if (taken !== false) void parts.fabric.send(node, toControl({ kind: 'session-left', session: session.id }))
        if (!isHere) break
      }
      own.thaw()
      deliveries.letGo(session)
      return false
    },
  }
}

/** `undefined`: whether the node has done it is not known. */
async function askToAdopt(parts: AskNodeParts, node: string, context: CallContext, body: JsonValue): Promise<unknown> {
  const answer = await askNode(parts, { node, service: serviceNames.adopt, context, body, withinMs: takeMs })
  return answer.kind === 'answered' ? answer.value : undefined
}

/** `undefined`: nobody knows whether the node has the session. */
async function bring(
  parts: AskNodeParts,
  session: HomeSession,
  node: string,
  more: Parameters<typeof printHanded>[1],
): Promise<boolean | undefined> {
  for (const piece of printHanded(session, more)) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    const taken = await askToAdopt(parts, node, session.context, piece)
    if (taken !== true) return taken === false ? false : undefined
  }
  return true
}

/** Where a session went. */
interface Move {
  readonly node: string
  readonly moves: number
  /** How many frames of its stream came along. */
  readonly after: number
}

/** The session is at home there from now on. Until the others know that they come here, and are sent on. */
async function move(parts: HandOnParts, session: HomeSession, to: Move): Promise<void> {
  const { fabric, table, deliveries, streams } = parts
  table.moved(session.id, to.node)
  const stream = streamOf(session, streams)
  stream.thaw()
  stream.attach(sinkTo(deliveries, session.id, to.node), to.after)
  deliveries.letGo(session)
  const told = fabric.send('all', toControl({ kind: 'session-moved', session: session.id, home: to.node }))
  await Promise.all([told, publish(parts, session, to)])
}

async function publish(
  { clock, log, fabric, records }: HandOnParts,
  session: HomeSession,
  { node, moves }: Move,
): Promise<void> {
  const until = clock.now() + publishMs
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it is stored
      const isThere = await records.move(session, node, moves)
      if (!isThere) void fabric.send(node, toControl({ kind: 'end', session: session.id }))
      return
    } catch (error) {
      if (clock.now() >= until) return log.error('where a session was handed on to could not be stored', { error })
      // oxlint-disable-next-line no-await-in-loop
      await pause(againMs)
    }
  }
}

/** What is said on the session's stream here goes on to its next home. */
function sinkTo(deliveries: Deliveries, session: string, node: string): Sink {
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
