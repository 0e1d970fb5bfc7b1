import type { Exchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { type ErrorView, mcpProfile } from '@junctor/protocol'

/** How the errors of a call look: those that asked are spoken to by the specification, whatever their client's profile. */
export function callView({ dialect }: Pick<Request, 'dialect'>, { context }: Pick<Exchange, 'context'>): ErrorView {
  return { revision: context.revision, dialect, profile: mcpProfile }
}
