import type { JsonObject } from '@junctor/jsonrpc'
import type { TenantBackend } from '@junctor/gateway'
import type { KnownNode } from '../cluster/known-nodes.ts'

/** The part of `gateway_status` about the gateway itself. */
export interface GatewaySummary {
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

/**
 * Returns the answer of `gateway_status`.
 *
 * @param backends the backends of the caller's tenant; other backends of a node are not shown
 * @param nodes the nodes of the fabric; shown when there is more than one
 */
export function gatewayStatus(
  { name, version, logLevel, timeoutMs }: GatewaySummary,
  backends: readonly TenantBackend[],
  nodes: readonly KnownNode[],
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
    ...(nodes.length > 1 && { nodes: Object.fromEntries(nodes.map((node) => describeNode(node, backends))) }),
  }
}

function describeNode({ node, about }: KnownNode, backends: readonly TenantBackend[]): [string, JsonObject] {
  if (about === undefined) return [node, { role: 'unknown' }]
  const { role, name, version, startedAt } = about
  const held = backends.map((backend) => backend.name).filter((backend) => Object.hasOwn(about.backends, backend))
  return [node, { role, name, version, started_at: startedAt, backends: held }]
}
