import type { Payload } from '@junctor/jsonrpc'

/** A request of a server to its client, with the exact text of its params: sampling, elicitation, roots. */
export interface ClientRequest {
  readonly method: string
  readonly params: Payload | undefined
}
