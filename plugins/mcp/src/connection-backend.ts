import type { Backend, Log, Emit, Transport } from '@junctor/plugin-sdk/link'
import { createEraMemory, type EraChoice } from './link/era-memory.ts'
import type { CorrelatingReceiver } from './connection/mcp-link.ts'
import { openOnConnection } from './stateless/open-on-connection.ts'

/** How the connection of one link is opened, and which era its server has. */
export interface ConnectionBackendOptions {
  readonly name: string
  readonly log: Log
  readonly emit: Emit
  readonly era: EraChoice | undefined
  /** Opens the connection of one link. The messages on it do not name the request that caused them. */
  readonly connect: (receiver: CorrelatingReceiver, signal: AbortSignal) => Transport | Promise<Transport>
}

/** A backend in which each link is its own connection. The backend knows only the era of its server. */
export function createConnectionBackend({ name, log, emit, era, connect }: ConnectionBackendOptions): Backend {
  const memory = createEraMemory(era ?? 'auto', () => performance.now())
  return {
    name,
    correlates: false,
    followsEra: memory.choice === 'auto',
    open: (scope, client, signal) =>
      openOnConnection(
        { backend: name, scope, client, log, emit, connect: (receiver) => connect(receiver, signal) },
        memory,
        signal,
      ),
    close: () => Promise.resolve(),
  }
}
