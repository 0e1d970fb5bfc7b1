import type { Backend } from '@junctor/contracts'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { backendDefaults, type BackendEntry, type TenantBackend } from '@junctor/gateway'
import { createBackend, type Tool, type ToolOutcome, ToolResponse } from '@junctor/plugin-sdk'
import type { AskEvents } from '../cluster/node-events.ts'
import type { KnownNode } from '../cluster/known-nodes.ts'
import { gatewayStatusDefinition, getEventsDefinition } from './definitions.ts'
import { gatewayStatus, type GatewaySummary } from './gateway-status.ts'
import { spacedJson } from './spaced-json.ts'

/** Where `gateway_status` and `get_events` read their answers. */
export interface GatewayToolsOptions {
  readonly gateway: GatewaySummary
  /** Returns the current backends of a tenant. */
  backends(tenant: string): Promise<readonly TenantBackend[]>
  /** Returns every node of the fabric. */
  nodes(): readonly KnownNode[]
  /** Queries the events of one tenant on all nodes. */
  readonly events: AskEvents
}

/**
 * Creates the gateway's own tools as a backend in this process. A configuration cannot use its name. A caller sees only
 * data of its tenant.
 */
export function createGatewayTools(options: GatewayToolsOptions): BackendEntry {
  const status = ownTool(gatewayStatusDefinition, async (_asked, tenant) =>
    answered(gatewayStatus(options.gateway, await options.backends(tenant), options.nodes())),
  )
  const getEvents = ownTool(getEventsDefinition, async (asked, tenant) => {
    const queried = await options.events(tenant, asked)
    return queried.kind === 'bad' ? { kind: 'refused', reason: queried.message } : answered(queried.events)
  })
  const backend: Backend = createBackend({ name: '$gateway', tools: [status, getEvents] })
  return { ...backendDefaults, backend, prefix: '', isolation: 'tenant', builtIn: true }
}

type Definition = typeof gatewayStatusDefinition | typeof getEventsDefinition

/** Creates a tool with exactly this definition, whose answer is for the caller's tenant. */
function ownTool(
  definition: Definition,
  answer: (asked: JsonObject, tenant: string) => ToolOutcome | Promise<ToolOutcome>,
): Tool {
  return {
    name: definition.name,
    listed: definition,
    call(input = {}, { exchange }) {
      if (isJsonObject(input)) return answer(input, exchange.context.tenant)
      return { kind: 'refused', reason: `arguments: expected an object, got ${JSON.stringify(input)}` }
    },
  }
}

function answered(value: JsonValue): ToolOutcome {
  return { kind: 'answered', result: ToolResponse.text(spacedJson(value)) }
}
