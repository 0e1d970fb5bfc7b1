import type { Backend } from '@junctor/exchange'
import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { BackendEntry, TenantBackend } from '@junctor/gateway'
import { backendDefaults } from '@junctor/gateway'
import { createBackend, type Tool, type ToolOutcome, ToolResponse } from '@junctor/plugin-sdk'
import type { EventLog } from '@junctor/telemetry'
import { gatewayStatusDefinition, getEventsDefinition } from './definitions.ts'
import type { ToldGateway } from './gateway-status.ts'
import { gatewayStatus } from './gateway-status.ts'
import { spacedJson } from './spaced-json.ts'

export interface GatewayToolsOptions {
  readonly gateway: ToldGateway
  /** The backends of a tenant as they are now. */
  backends(tenant: string): Promise<readonly TenantBackend[]>
  /** The events of a tenant, and of no other. */
  readonly events: Pick<EventLog, 'query'>
}

/**
 * The gateway's own tools, as a backend in this process. Its name is none that a configuration can have. What a caller
 * sees is its tenant's, and nothing of any other's.
 */
export function createGatewayTools(options: GatewayToolsOptions): BackendEntry {
  const status: Tool = {
    name: gatewayStatusDefinition.name,
    listed: gatewayStatusDefinition,
    async call(_input, { exchange }) {
      return answered(gatewayStatus(options.gateway, await options.backends(exchange.context.tenant)))
    },
  }
  const getEvents: Tool = {
    name: getEventsDefinition.name,
    listed: getEventsDefinition,
    call(input, { exchange }) {
      const queried = options.events.query(exchange.context.tenant, isJsonObject(input) ? input : {})
      return queried.kind === 'bad' ? { kind: 'refused', reason: queried.message } : answered(queried.events)
    },
  }
  const backend: Backend = createBackend({ name: '$gateway', tools: [status, getEvents] })
  return { ...backendDefaults, backend, prefix: '', isolation: 'tenant', builtIn: true }
}

function answered(value: JsonValue): ToolOutcome {
  return { kind: 'answered', result: ToolResponse.text(spacedJson(value)) }
}
