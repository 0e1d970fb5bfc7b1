import type { Exchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { type ErrorView, mcpProfile } from '@junctor/protocol'

/**
 * How the errors of a call look: the asking node gets them as the specification defines them, for every client profile.
 */
export function callView({ dialect }: Pick<Request, 'dialect'>, { context }: Pick<Exchange, 'context'>): ErrorView {
  return { revision: context.revision, dialect, profile: mcpProfile }
}
