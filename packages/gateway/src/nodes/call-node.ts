import type { Fabric } from '@junctor/contracts'
import type { CallContext, Host, Outcome } from '@junctor/exchange'
import { createExchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'

/** What calls to nodes need. */
export interface CallNodeParts {
  readonly fabric: Pick<Fabric, 'call'>
  readonly host: Host
}

/**
 * Calls the service of a node that a request names, on behalf of this node. Returns the outcome, which is an error when
 * the node is not present.
 *
 * @param deadline epoch milliseconds
 */
export async function callNode(
  { fabric, host }: CallNodeParts,
  node: string,
  request: Request,
  context: CallContext,
  deadline: number,
): Promise<Outcome> {
  const exchange = createExchange({ id: host.nextId(), request, context, deadline, attempt: 1 }, host)
  const outcome = await fabric.call({ service: request.method, node }, request, exchange)
  exchange.settle(outcome)
  return outcome
}
