import type { Closer, Fabric, Log, UnreadableReporter } from '@junctor/contracts'
import { type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { mcpProfile, wireError } from '@junctor/protocol'
import { askNode, nodeContext, nodeHandler, nodeId } from '@junctor/gateway'
import {
  type AllEvents,
  type EventFilter,
  type EventLog,
  type GatewayEvent,
  mergeEvents,
  readGatewayEvent,
} from '@junctor/telemetry'
import { z } from 'zod'
import type { KnownNodes } from './known-nodes.ts'

/** The service with which a node returns its events to other nodes. */
const eventsService = '$events'

/** How long another node may take to answer, in milliseconds. The node that queries does not wait longer. */
const withinMs = 2_000

/** The params of a query. The log of events checks what is asked for. */
const querySchema = z.object({ tenant: z.string().nullable(), asked: z.record(z.string(), z.json()) })

/**
 * Serves the events of this node to other nodes. The request names the tenant; events of other tenants never leave this
 * node.
 */
export function serveNodeEvents(
  fabric: Pick<Fabric, 'serve'>,
  events: Pick<EventLog, 'query'>,
  unreadable: UnreadableReporter,
): Promise<Closer> {
  const answer = nodeHandler(querySchema, unreadable, ({ tenant, asked }, { context }, { dialect }) => {
    const queried = events.query(tenant ?? undefined, asked)
    if (queried.kind === 'events') return { kind: 'complete', result: payloadOf(queried.events) }
    const view = { revision: context.revision, dialect, profile: mcpProfile }
    return { kind: 'error', error: wireError('invalid_params', view, { message: queried.message }) }
  })
  return fabric.serve(eventsService, answer)
}

/** Queries all nodes for events. `tenant` is that of `EventLog.query`. Never rejects. */
export type AskEvents = (tenant: string | undefined, asked: EventFilter) => Promise<AllEvents>

/** The events of this node, and the other nodes that are asked for theirs. */
export interface AllEventsParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'now'>
  readonly events: Pick<EventLog, 'query'>
  readonly nodes: Pick<KnownNodes, 'others'>
  readonly log: Log
  /** Called with events of other nodes that this version cannot read. They are left out. */
  readonly unreadable: UnreadableReporter
}

/**
 * Returns the newest matching events of all nodes, oldest first. Each event names its node, unless this node is alone.
 * Nodes that do not answer in time are listed in `silent`. `tenant` is that of `EventLog.query`.
 */
export async function queryAllNodes(
  { fabric, events, nodes, log, unreadable }: AllEventsParts,
  tenant: string | undefined,
  asked: EventFilter,
): Promise<AllEvents> {
  const own = events.query(tenant, asked)
  const others = nodes.others()
  if (own.kind === 'bad' || others.length === 0) return own
  const body = { tenant: tenant ?? null, asked: plainOf(asked) }
  const host = { nextId: () => nodeId(fabric.node, 'events') }
  const answers = await Promise.all(
    others.map(async (node) => {
      const question = {
        node,
        service: eventsService,
        context: nodeContext,
        body,
        answer: z.array(z.unknown()),
        withinMs,
      }
      const answer = await askNode({ fabric, host, unreadable }, question)
      if (answer.kind !== 'answered') return { node, events: undefined }
      return { node, events: eventsIn(answer.value, (problem) => unreadable('event', node, problem)) }
    }),
  )
  const silent = answers.flatMap((one) => (one.events === undefined ? [one.node] : []))
  if (silent.length > 0) log.warn('nodes did not return their events', { nodes: silent })
  const answered = answers.map(({ node, events: theirs = [] }) => ({ node, events: theirs }))
  return {
    kind: 'events',
    events: mergeEvents([{ node: fabric.node, events: own.events }, ...answered], asked),
    silent,
  }
}

/** Returns the serializable part of a query. */
function plainOf({ trace_id, event_type, status, since, limit }: EventFilter): JsonValue {
  return JSON.parse(JSON.stringify({ trace_id, event_type, status, since, limit })) as JsonValue
}

/** Returns the events in another node's answer. Items that are not events, which another version may send, are left out. */
function eventsIn(answer: readonly unknown[], unreadable: (problem: string) => void): readonly GatewayEvent[] {
  return answer.flatMap((item) => {
    const read = readGatewayEvent(item)
    if (read.kind === 'read') return [read.value]
    unreadable(read.problem)
    return []
  })
}
