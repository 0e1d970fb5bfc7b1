import type { CallContext, Handler, Host, Outcome, Sink } from '@junctor/exchange'
import type { Closer, Fabric, Log } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { payloadOf } from '@junctor/jsonrpc'
import type { Clock } from '../shared/clock.ts'
import { toControl } from './control.ts'
import { paceOf, streamOf } from './session-outlet.ts'
import type { Deliveries } from './deliveries.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { LinkPool } from '../upstream/links/link-pool.ts'
import { askNode } from '../nodes/ask-node.ts'
import { nodeContext } from '../nodes/node-context.ts'
import { serviceNames } from '../nodes/service-names.ts'
import type { KeptFrame } from './streams/stream-state.ts'
import type { StreamTable } from './streams/stream-table.ts'
import { pause } from '../shared/pause.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { HandedSession } from './handed-session.ts'
import { printHanded, readHanded, readPiece } from './handed-session.ts'
import type { FrontSession } from './front-session.ts'
import type { SessionOutlet } from './home-session.ts'
import { HomeSession } from './home-session.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionTable } from './session-table.ts'
import type { Subscriptions } from '../upstream/subscriptions.ts'

/** How long another node has to take a session, in milliseconds. */
const takeMs = 2_000

/** How long a session may take to arrive in pieces, in milliseconds. */
const arriveMs = 30_000

/** How long, and how often, storing where a session went is tried, in milliseconds. */
const publishMs = 5_000
const againMs = 200

export interface HandOnParts {
  readonly fabric: Fabric
  readonly host: Host
  readonly clock: Clock
  readonly log: Log
  readonly limits: Pick<GatewayLimits, 'sessions'>
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly isRetired: () => boolean
  /** The other nodes that let clients in. */
  readonly gateways: () => readonly string[]
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'move'>
  readonly deliveries: Deliveries
  readonly subscriptions: Subscriptions
  readonly streams: StreamTable
  readonly outlet: SessionOutlet
  readonly pool: LinkPool
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
  /**
   * Has the session's home know that answers on its own stream are about to be promised: from now on it is handed on when
   * that node leaves. `undefined`: it knows. `gone`: it has ended; `away`: its home cannot be asked now.
   */
  owe(session: FrontSession): Promise<'known' | 'gone' | 'away'> | undefined
  /** Takes sessions of others, and hears what those at home here are owed. */
  serve(): Promise<readonly Closer[]>
}

export function createHandOn(parts: HandOnParts): HandOn {
  const { fabric, clock, log, table, deliveries, subscriptions, streams } = parts

  /** `undefined`: whether it has done what was asked is not known. */
  const ask = async (service: string, node: string, context: CallContext, body: JsonValue): Promise<unknown> => {
    const given = await askNode(parts, { node, service, context, body, withinMs: takeMs })
    return given.kind === 'answered' ? given.value : undefined
  }

  /** Until the others know where it is they come here, and are sent on. */
  const moved = async (session: HomeSession, node: string, moves: number, after: number): Promise<void> => {
    table.moved(session.id, node)
    const stream = streamOf(session, streams)
    stream.thaw()
    stream.attach(sinkTo(session.id, node), after)
    deliveries.letGo(session)
    const told = fabric.send('all', toControl({ kind: 'session-moved', session: session.id, home: node }))
    await Promise.all([told, publish(session, node, moves)])
  }

  const publish = async (session: HomeSession, node: string, moves: number): Promise<void> => {
    const until = clock.now() + publishMs
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- until it is stored
        const isThere = await parts.records.move(session, node, moves)
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
  const sinkTo = (session: string, node: string): Sink => ({
    owner: undefined,
    resumable: false,
    open() {},
    send(text) {
      if (text !== '') void deliveries.deliver(node, { session, job: '', text, last: false })
      return undefined
    },
  })

  const take = (context: CallContext, handed: HandedSession): boolean => {
    const { session: id = '', tenant: name } = context
    const tenant = parts.tenants.get(name)
    if (tenant === undefined || table.size >= parts.limits.sessions) return false
    const { openedAt, dialect, logLevel, mailbox, stream } = handed
    const init = { id, tenant, context: { ...context, trace: undefined }, transport: 'http' as const, openedAt }
    const session = new HomeSession(init, parts.outlet, parts.pool)
    session.dialect = dialect
    session.logLevel = logLevel
    session.isOwed = true
    if (stream !== undefined) session.stream = streams.restored(stream, paceOf(session))
    deliveries.takeIn(session, mailbox)
    session.moves = handed.moves
    table.admit(session)
    subscriptions.takeIn(session, handed.subscriptions)
    return true
  }

  /** The frames of sessions that are not here yet as a whole. */
  const arriving = new Map<string, { readonly frames: KeptFrame[]; readonly since: number }>()

  const adopt: Handler = (request, { context }) => {
    const { session: id } = context
    if (parts.isRetired()) return answer(false)
    if (id === undefined || table.peek(id) !== undefined) return answer(true)
    const now = clock.now()
    for (const [other, { since }] of arriving) if (now - since > arriveMs) arriving.delete(other)
    const { isFirst, frames, rest } = readPiece(request.params?.value() as JsonValue | undefined)
    const before = isFirst ? { frames: [], since: now } : arriving.get(id)
    if (before === undefined) return answer(false)
    before.frames.push(...frames)
    arriving.set(id, before)
    if (rest === undefined) return answer(true)
    arriving.delete(id)
    return answer(take(context, readHanded(rest, before.frames, now)))
  }

  /** Undefined: nobody knows whether the node has it. */
  const bring = async (
    session: HomeSession,
    node: string,
    more: Parameters<typeof printHanded>[1],
  ): Promise<boolean | undefined> => {
    for (const piece of printHanded(session, more)) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      const taken = await ask(serviceNames.adopt, node, session.context, piece)
      if (taken !== true) return taken === false ? false : undefined
    }
    return true
  }

  const owed: Handler = (request, exchange) => {
    const { session: id = '' } = exchange.context
    const session = table.peek(id)
    const next = table.elsewhere(id)
    if (session === undefined && next !== undefined) {
      return fabric.call({ service: serviceNames.owe, node: next.home }, request, exchange)
    }
    if (session !== undefined) session.isOwed = true
    return { kind: 'complete', result: payloadOf(session !== undefined) }
  }

  const oweAt = async (session: FrontSession): Promise<'known' | 'gone' | 'away'> => {
    const known = await ask(serviceNames.owe, session.home, session.context, {})
    if (known === undefined) return 'away'
    session.isHomeTold = known === true
    return known === true ? 'known' : 'gone'
  }

  return {
    async successors() {
      const asked = parts
        .gateways()
        .map(async (node) => ((await ask(serviceNames.adopt, node, nodeContext, {})) === true ? [node] : []))
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
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const taken = await bring(session, node, {
          moves,
          subscriptions: subscriptions.of(session),
          mailbox,
          stream,
        })
        const isHere = table.peek(session.id) === session
        if (taken === true && isHere) {
          // oxlint-disable-next-line no-await-in-loop
          await moved(session, node, moves, stream.count)
          return true
        }
        // It has ended meanwhile, or nobody knows whether it was taken.
        if (taken !== false) void fabric.send(node, toControl({ kind: 'session-left', session: session.id }))
        if (!isHere) break
      }
      own.thaw()
      deliveries.letGo(session)
      return false
    },
    owe(session) {
      if (session.isHomeTold) return undefined
      const home = table.peek(session.id)
      if (home === undefined) return oweAt(session)
      home.isOwed = true
      session.isHomeTold = true
      return undefined
    },
    serve: () => Promise.all([fabric.serve(serviceNames.adopt, adopt), fabric.serve(serviceNames.owe, owed)]),
  }
}

function answer(taken: boolean): Outcome {
  return { kind: 'complete', result: payloadOf(taken) }
}
