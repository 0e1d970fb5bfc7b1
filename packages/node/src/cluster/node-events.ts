import type { Closer, Fabric, Log } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject, payloadOf } from '@junctor/jsonrpc'
import { mcpProfile, wireError } from '@junctor/protocol'
import type { AllEvents, AskedEvents, EventLog, GatewayEvent } from '@junctor/telemetry'
import { mergeEvents } from '@junctor/telemetry'
import { askNode } from './ask-node.ts'
import type { NodeTable } from './node-table.ts'

/** The service under which a node tells others what happened in it. */
const eventsService = '$events'

/** How long another node has to tell, in milliseconds. Who asks waits no longer, whatever the others do. */
const patienceMs = 2_000

/**
 * Tells other nodes what happened in this one. Whose events are asked for stands in the question, and what is none of
 * that tenant's never leaves this node.
 */
export function serveNodeEvents(fabric: Pick<Fabric, 'serve'>, events: Pick<EventLog, 'query'>): Promise<Closer> {
  const answer: Handler = (request, { context: { revision } }) => {
    const view = { revision, dialect: request.dialect, profile: mcpProfile }
    const params = request.params?.value()
    const { tenant, asked } = isJsonObject(params) ? params : {}
    if (!isJsonObject(asked) || (tenant !== null && typeof tenant !== 'string'))
      return { kind: 'error', error: wireError('invalid_params', view) }
    const queried = events.query(tenant ?? undefined, asked)
    if (queried.kind === 'bad')
      return { kind: 'error', error: wireError('invalid_params', view, { message: queried.message }) }
    return { kind: 'complete', result: payloadOf(queried.events) }
  }
  return fabric.serve(eventsService, answer)
}

/** Asks all nodes for events. `tenant` is that of `EventLog.query`. Never rejects. */
export type AskEvents = (tenant: string | undefined, asked: AskedEvents) => Promise<AllEvents>

export interface AllEventsParts {
  readonly fabric: Pick<Fabric, 'node' | 'call'>
  readonly events: Pick<EventLog, 'query'>
  readonly nodes: Pick<NodeTable, 'others'>
  readonly log: Log
}

/**
 * The newest events that are asked for, of all nodes, oldest first; each says which node it is of, unless this one is
 * alone. Nodes that do not answer are named, and waited for no longer than a moment. `tenant` is that of
 * `EventLog.query`.
 */
export async function queryAllNodes(
  { fabric, events, nodes, log }: AllEventsParts,
  tenant: string | undefined,
  asked: AskedEvents,
): Promise<AllEvents> {
  const own = events.query(tenant, asked)
  const others = nodes.others()
  if (own.kind === 'bad' || others.length === 0) return own
  const params = { tenant: tenant ?? null, asked: plainOf(asked) }
  const told = await Promise.all(
    others.map(async (node) => {
      const answer = await askNode(fabric, { node, service: eventsService, params, patienceMs })
      return { node, events: eventsIn(answer) }
    }),
  )
  const silent = told.flatMap((one) => (one.events === undefined ? [one.node] : []))
  if (silent.length > 0) log.warn('nodes did not tell what happened in them', { nodes: silent })
  const answered = told.map(({ node, events: theirs = [] }) => ({ node, events: theirs }))
  return {
    kind: 'events',
    events: mergeEvents([{ node: fabric.node, events: own.events }, ...answered], asked),
    silent,
  }
}

/** What may travel of a question. */
function plainOf({ trace_id, event_type, status, since, limit }: AskedEvents): JsonValue {
  return JSON.parse(JSON.stringify({ trace_id, event_type, status, since, limit })) as JsonValue
}

/** What another node told; `undefined` when it did not. What is no event, which another version may have, is left out. */
function eventsIn(answer: JsonValue | undefined): readonly GatewayEvent[] | undefined {
  if (!Array.isArray(answer)) return undefined
  return answer.filter((item): item is GatewayEvent => isJsonObject(item) && typeof item['timestamp'] === 'string')
}
