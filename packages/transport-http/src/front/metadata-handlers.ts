import { wellKnownResource } from '@junctor/protocol'
import { answerJson } from './answer.ts'
import type { EndpointHandlers } from './endpoint-handlers.ts'
import type { ReceivedRequest } from './received-request.ts'

/** The paths of all metadata. The first is that of the endpoint without a tenant, for clients that look there alone. */
export const metadataPaths: readonly string[] = [
  wellKnownResource,
  ...['/mcp', '/mcp/:tenant', '/mcp/-/:backend', '/mcp/:tenant/-/:backend'].map(
    (path) => `${wellKnownResource}${path}`,
  ),
]

/**
 * What clients without a token read: which authorization server gives tokens for an endpoint (2025-06-18 and later,
 * Authorization, "Authorization Server Location").
 */
export const metadataHandlers: EndpointHandlers = { allowed: 'GET, OPTIONS', verbs: { GET: sendMetadata } }

function sendMetadata(call: ReceivedRequest): void {
  const metadata = call.serving.front.metadata?.(call.tenant)
  if (metadata === undefined) return call.refuse('unknown_tenant')
  answerJson(call.response, 200, JSON.stringify(metadata), call.moreHeaders())
}
