import {
  type Backend,
  type Link,
  type Log,
  type Scope,
  silentLog,
  type Emit,
  emitNothing,
} from '@junctor/plugin-sdk/link'
import { openMcpLink } from './connection/mcp-link.ts'
import { createSdkConnection, type SdkServerTransport } from './sdk-transport.ts'

/** A server made with an official SDK: `McpServer` or `Server` of version 1 or 2. */
export interface SdkServer {
  /** Begins to answer on the transport. */
  connect(transport: SdkServerTransport): Promise<void>
  /** Closes the server and its transport. */
  close(): Promise<void>
}

/** How a server of the official SDK becomes a backend. */
export interface McpServerBackendOptions {
  /** The backend's name: in logs and errors. */
  readonly name: string
  /** Default: nothing is logged. */
  readonly log?: Log
  /** Reports events for metrics and the event log. Default: none are reported. */
  readonly emit?: Emit
}

/**
 * A backend that is an SDK server in this process.
 *
 * @param create makes a server. Called for each link, because an SDK server serves one client.
 */
export function backendFromMcpServer(
  create: (scope: Scope) => SdkServer | Promise<SdkServer>,
  { name, log = silentLog, emit = emitNothing }: McpServerBackendOptions,
): Backend {
  return {
    name,
    correlates: true,
    async open(scope, client, signal): Promise<Link> {
      signal.throwIfAborted()
      const server = await create(scope)
      return openMcpLink(
        {
          backend: name,
          scope,
          client,
          log,
          emit,
          correlates: true,
          async connect(receiver) {
            const { sdk, transport } = createSdkConnection(receiver, log)
            await server.connect(sdk)
            return transport
          },
        },
        signal,
      )
    },
    close: () => Promise.resolve(),
  }
}
