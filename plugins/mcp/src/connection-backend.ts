import type { Backend, Log, Emit, Transport } from '@junctor/plugin-sdk/link'
import { type CorrelatingReceiver, openMcpLink } from './mcp-link.ts'

export interface ConnectionBackendOptions {
  readonly name: string
  readonly log: Log
  readonly emit: Emit
  /** Opens the connection of one link. The messages on it do not name the request that caused them. */
  readonly connect: (receiver: CorrelatingReceiver, signal: AbortSignal) => Transport | Promise<Transport>
}

/** A backend in which each link is its own connection. The backend has no other state. */
export function createConnectionBackend({ name, log, emit, connect }: ConnectionBackendOptions): Backend {
  return {
    name,
    correlates: false,
    open: (scope, client, signal) =>
      openMcpLink(
        {
          backend: name,
          scope,
          client,
          log,
          emit,
          correlates: false,
          connect: (receiver) => connect(receiver, signal),
        },
        signal,
      ),
    close: () => Promise.resolve(),
  }
}
