import type { CallTarget } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import { isOfNode } from '../is-of-node.ts'
import { callView } from './call-view.ts'

/** The outcome of a call without a reachable node: it was not sent, so the client may retry it. */
export function noHolderOutcome({ service }: CallTarget, request: Request, exchange: Exchange): Outcome {
  // Clients do not know services of the gateway itself, such as `$session`.
  const details = isOfNode(service) ? {} : { backend: service }
  const error = wireError('backend_unavailable', callView(request, exchange), details)
  return { kind: 'error', error, loss: 'unsent' }
}
