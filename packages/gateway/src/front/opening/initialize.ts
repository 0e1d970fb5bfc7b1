import type { Outcome, Principal } from '@junctor/exchange'
import { isJsonObject, type JsonObject, payloadOf, type Request } from '@junctor/jsonrpc'
import { negotiate, type Profile, type Revision, revisionOf, serverCapabilitiesFor } from '@junctor/protocol'
import type { KnownServer } from '../../upstream/catalogue/known-server.ts'
import { judgeDescription } from '../../shared/judge-description.ts'
import { isUnauthenticated } from '../../shared/is-unauthenticated.ts'
import { capabilityUnion, mergeInstructions } from '../../upstream/catalogue/server-union.ts'

/** The content of an `initialize` request, or what is wrong with it. */
export type Opening =
  | {
      readonly kind: 'opening'
      readonly revision: Revision
      /** The version in the answer: the revision, or the version that the client asked for and that stands for it. */
      readonly version: string
      readonly info: JsonObject
      readonly capabilities: JsonObject
    }
  | { readonly kind: 'bad'; readonly message: string }

/** Reads the params of `initialize` (Lifecycle, "Initialization"). Capabilities and a description of null are none. */
export function readInitialize(request: Request, profile: Profile): Opening {
  const params = request.params?.value()
  if (!isJsonObject(params)) return { kind: 'bad', message: 'initialize expects params with "protocolVersion"' }
  const { protocolVersion } = params
  const capabilities = params['capabilities'] ?? {}
  const clientInfo = params['clientInfo'] ?? {}
  if (typeof protocolVersion !== 'string') {
    return { kind: 'bad', message: 'initialize expects "protocolVersion" to be a string like "2025-11-25"' }
  }
  if (!isJsonObject(capabilities)) return { kind: 'bad', message: 'initialize expects "capabilities" to be an object' }
  if (!isJsonObject(clientInfo)) return { kind: 'bad', message: 'initialize expects "clientInfo" to be an object' }
  const described = judgeDescription(request, { info: clientInfo, capabilities })
  if (described.kind === 'too_long') return { kind: 'bad', message: described.message }
  const revision = negotiate(protocolVersion, profile)
  const version = revisionOf(protocolVersion, profile) === undefined ? revision : protocolVersion
  return { kind: 'opening', revision, version, info: described.info, capabilities }
}

/** The name and version that the gateway reports to clients. */
export interface GatewayInfo {
  readonly name: string
  readonly version: string
}

/** The result of an `initialize` request. */
export function initializeOutcome(
  { revision, version }: { readonly revision: Revision; readonly version: string },
  gateway: GatewayInfo,
  servers: readonly KnownServer[],
  { principal, instructionsLimit }: { readonly principal: Principal; readonly instructionsLimit: number },
): Outcome {
  const instructions = mergeInstructions(servers, instructionsLimit)
  const result = payloadOf({
    protocolVersion: version,
    capabilities: serverCapabilitiesFor(revision, withTasks(capabilityUnion(servers), principal)),
    serverInfo: { name: gateway.name, version: gateway.version },
    ...(instructions !== undefined && { instructions }),
  })
  return { kind: 'complete', result }
}

/**
 * Declares tasks: any tool may run as a task, regardless of its backend (2025-11-25, Tasks, "Server Capabilities"). They
 * can be listed by callers with credentials alone: see `taskListRoute`.
 */
function withTasks(capabilities: JsonObject, principal: Principal): JsonObject {
  if (capabilities['tools'] === undefined) return capabilities
  const list = isUnauthenticated(principal) ? {} : { list: {} }
  return { ...capabilities, tasks: { ...list, cancel: {}, requests: { tools: { call: {} } } } }
}
