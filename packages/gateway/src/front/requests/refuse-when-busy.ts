import type { Emit } from '@junctor/contracts'
import { type ErrorDetails, methods, rpcMethods } from '@junctor/protocol'
import type { LargeRequests, Leave } from '../../shared/large-requests.ts'
import type { LoadSample } from '../../shared/judge-load.ts'
import type { NodeLoad } from '../../shared/node-load.ts'
import type { RequestOwner } from './request-owner.ts'
import { type RefusedRequest, sendRefusal } from './send-refusal.ts'

/** What refuses requests while this node is too busy. */
export interface BusyParts {
  readonly load: Pick<NodeLoad, 'reason'>
  readonly large: Pick<LargeRequests, 'enter'>
  readonly emit: Emit
}

const busyDetails = { retryAfterMs: 1_000 }

/** The errors of a node that is too busy. */
const busy: Readonly<Record<keyof LoadSample, ErrorDetails>> = {
  loopDelayMs: { message: 'This node is too busy for another request', data: busyDetails },
  heapPercent: { message: 'This node has no memory for another request', data: busyDetails },
}

/** Methods that a busy node answers: they cost little, or end work. */
const relievingMethods: ReadonlySet<string> = new Set([
  methods.ping,
  methods.tasksGet,
  methods.tasksResult,
  methods.tasksCancel,
  methods.resourcesUnsubscribe,
  ...Object.values(rpcMethods),
])

/**
 * Refuses a request when this node is too busy for it. Returns whether it has done so. Must be asked before anything
 * is opened for the request: a session of a refused request would have no client.
 */
export function refuseWhenBusy({ load, emit }: BusyParts, asked: RefusedRequest): boolean {
  if (load.reason === undefined || relievingMethods.has(asked.request.method)) return false
  sendRefusal(emit, asked, 'overloaded', busy[load.reason])
  return true
}

/**
 * Counts a large request as under way until the returned function is called. A request without a kept text is small, and is
 * not counted. Refuses it when there is no room, and returns `refused`.
 */
export function enterWhenLarge(
  { large, emit }: BusyParts,
  asked: RefusedRequest & { readonly client: Pick<RequestOwner, 'context'> },
): Leave | 'small' | 'refused' {
  const { text } = asked.request.params ?? {}
  if (text === undefined) return 'small'
  const leave = large.enter(text, asked.client.context.principal)
  if (leave !== undefined) return leave
  sendRefusal(emit, asked, 'overloaded', busy.heapPercent)
  return 'refused'
}
