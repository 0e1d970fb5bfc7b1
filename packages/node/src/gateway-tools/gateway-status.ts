import type { JsonObject } from '@junctor/jsonrpc'
import type { TenantBackend } from '@junctor/gateway'

/** What `gateway_status` says of the gateway itself. */
export interface ToldGateway {
  readonly name: string
  readonly version: string
  /** The level of the log: `info`. */
  readonly logLevel: string
  /** The default deadline of a call, in milliseconds. */
  readonly timeoutMs: number
}

const words: Readonly<Record<TenantBackend['state'], string>> = {
  up: 'running',
  starting: 'starting',
  down: 'failed',
  crash_looping: 'failed',
}

/** The answer of `gateway_status`. */
export function gatewayStatus(
  { name, version, logLevel, timeoutMs }: ToldGateway,
  backends: readonly TenantBackend[],
): JsonObject {
  return {
    gateway: {
      name,
      version,
      config: { log_level: logLevel.toUpperCase(), debug: logLevel === 'debug', backend_timeout: timeoutMs / 1000 },
    },
    backends: Object.fromEntries(
      backends.map((backend) => [
        backend.name,
        { status: words[backend.state], namespace: backend.prefix, tool_count: backend.tools },
      ]),
    ),
  }
}
