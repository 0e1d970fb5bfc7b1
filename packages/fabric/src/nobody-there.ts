import type { CallTarget } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import { callView } from './call-view.ts'

/** The outcome of a call that finds nobody: it was not sent, so it may be tried again. */
export function nobodyThere({ service }: CallTarget, request: Request, exchange: Exchange): Outcome {
  // Services of the gateway itself, such as `$session`, are nothing that a client knows of.
  const details = service.startsWith('$') ? {} : { backend: service }
  return { kind: 'error', error: wireError('backend_unavailable', callView(request, exchange), details) }
}
