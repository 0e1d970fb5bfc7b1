import type { Fabric } from '@junctor/contracts'
import type { CallContext, Host, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { settlesWithin } from '@junctor/primitives'
import { errorOutcome } from '../shared/errors.ts'
import { ownExchange } from '../shared/own-exchange.ts'

/** What calls to nodes need. */
export interface CallNodeParts {
  readonly fabric: Pick<Fabric, 'call' | 'now'>
  /** Gives each call its id. */
  readonly host: Pick<Host, 'nextId'>
}

/** A request of this node to another one, for this node itself. */
export interface NodeCall {
  readonly node: string
  /** Its method is the service of that node. */
  readonly request: Request
  readonly context: CallContext
  /** How long it may take, in milliseconds. `Infinity`: until the fabric knows its outcome. */
  readonly withinMs: number
}

/** Calls a service of another node. Returns its outcome, also when the node is not there. Never rejects. */
export async function callNode({ fabric, host }: CallNodeParts, call: NodeCall): Promise<Outcome> {
  const { node, request, context, withinMs } = call
  const exchange = ownExchange(host.nextId(), context, { deadline: fabric.now() + withinMs })
  const called = fabric.call({ service: request.method, node }, request, exchange)
  if (await settlesWithin(called, withinMs)) return called
  exchange.end('deadline')
  return errorOutcome(context, 'deadline_exceeded')
}
