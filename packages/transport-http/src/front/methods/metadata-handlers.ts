import { wellKnownResource } from '@junctor/protocol'
import { answerJson } from '../serving/answer.ts'
import type { EndpointHandlers } from './endpoint-handlers.ts'
import type { ReceivedRequest } from '../request/received-request.ts'

const endpoints = ['', '/:tenant', '/-/:backend', '/:tenant/-/:backend'].flatMap((path) => [
  `/mcp${path}`,
  `/sse${path}`,
])

/**
 * The paths of all metadata. The first is that of the endpoint without a tenant, for clients that look there alone. Clients
 * put the path of a resource behind the well-known one (RFC 9728 section 3.1), so a proxy does not remove it.
 */
export function metadataPaths(publicUrl: string | undefined): readonly string[] {
  const { pathname } = new URL(publicUrl ?? 'http://localhost')
  // The router takes a colon for the beginning of a parameter.
  const prefix = pathname.replace(/\/$/, '').replaceAll(':', '::')
  const prefixes = prefix === '' ? [''] : ['', prefix]
  const paths = prefixes.flatMap((before) => endpoints.map((path) => `${wellKnownResource}${before}${path}`))
  return [wellKnownResource, ...paths]
}

/**
 * What clients without a token read: which authorization server gives tokens for an endpoint (2025-06-18 and later,
 * Authorization, "Authorization Server Location").
 */
export const metadataHandlers: EndpointHandlers = {
  allowed: 'GET, HEAD, OPTIONS',
  verbs: { GET: sendMetadata, HEAD: sendMetadata },
}

function sendMetadata(call: ReceivedRequest): void {
  const metadata = call.serving.front.metadata?.(call.tenant, call.target.path)
  if (metadata === undefined) return call.refuse('unknown_tenant')
  answerJson(call.response, 200, JSON.stringify(metadata), call.moreHeaders())
}
