import type { Emit } from '@junctor/contracts'
import { type ErrorDetails, methods, rpcMethods } from '@junctor/protocol'
import type { LoadSample } from '../../shared/judge-load.ts'
import type { NodeLoad } from '../../shared/node-load.ts'
import { type RefusedRequest, sendRefusal } from './send-refusal.ts'

/** What refuses requests while this node is too busy. */
export interface BusyParts {
  readonly load: Pick<NodeLoad, 'reason'>
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
