import { isIP } from 'node:net'
import { isJsonObject, type JsonObject } from '@junctor/plugin-sdk/link'
import type { RequestContext } from '@junctor/plugin-sdk'
import type { HttpClient } from '@junctor/plugin-sdk/http'

/** The hosts that are tools of the gateway. */
const toolHosts = '.spin.internal'

/** Bytes of the body of one response. */
const maxBytes = 4 * 1024 * 1024

/** Sends the requests of modules, to hosts that the operator has named and to no others. */
export interface Outbound {
  /**
   * Resolves with the reply as JSON: `{ status, headers, body }`, or `{ error }`. Never rejects.
   *
   * @param caller of the module's call: `http://<tool>.spin.internal/` is a tool of the gateway, with the caller's rights
   */
  fetch(json: string, caller: Pick<RequestContext, 'fetch' | 'signal'>): Promise<string>
  close(): Promise<void>
}

/**
 * Makes the way out for one module. Redirects are not followed: they could lead to a host that is not on the list.
 *
 * @param hosts names and addresses without ports, as in `api.example.com` or `10.0.0.5`
 * @throws Error for a text that is not a host
 */
export async function createOutbound(hosts: readonly string[]): Promise<Outbound> {
  const allowed = new Set(hosts.map(bareHost))
  let client: HttpClient | undefined
  if (hosts.length > 0) {
    const { createHttpClient } = await import('@junctor/plugin-sdk/http')
    client = createHttpClient({ allowed: hosts, maxBytes, maxRedirects: 0 })
  }

  async function send(
    json: string,
    { fetch: fetchTool, signal }: Pick<RequestContext, 'fetch' | 'signal'>,
  ): Promise<object> {
    const { url, ...request } = readRequest(json)
    if (client === undefined || !allowed.has(bareHost(url.hostname))) {
      return { error: `The host ${url.hostname} is not one of the hosts of this module` }
    }
    if (url.hostname.endsWith(toolHosts)) {
      const answer = await fetchTool(url, { ...request, signal })
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
    }
    const response = await client.request(url, { ...request, signal })
    const { status, headers } = response
    return { status, headers, body: await response.text() }
  }

  return {
    async fetch(json, caller) {
      try {
        return JSON.stringify(await send(json, caller))
      } catch (error) {
        return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
      }
    },
    close: async () => client?.close(),
  }
}

/** A request of a module. */
interface OutboundRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

function readRequest(json: string): OutboundRequest {
  const value: unknown = JSON.parse(json)
  if (!isJsonObject(value)) throw new Error('Expected a request to be an object')
  const { url, method = 'GET', headers = {}, body } = value
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error('Expected a request with a "url"')
  if (typeof method !== 'string') throw new Error('Expected "method" to be a text')
  if (!isJsonObject(headers) || !hasTexts(headers)) throw new Error('Expected "headers" to be an object of texts')
  // Servers with several sites answer for the one that this header names.
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'host')) {
    throw new Error('Expected a request whose URL alone names the host')
  }
  if (body !== undefined && typeof body !== 'string') throw new Error('Expected "body" to be a text')
  return { url: new URL(url), method, headers, ...(body !== undefined && { body }) }
}

function hasTexts(headers: JsonObject): headers is Record<string, string> {
  return Object.values(headers).every((value) => typeof value === 'string')
}

/** A host as URLs write it: lower case, without the brackets of IPv6 and without the dot at the end of a full name. */
function bareHost(host: string): string {
  const written = isIP(host) === 6 ? `[${host}]` : host
  const { hostname } = URL.canParse(`http://${written}/`) ? new URL(`http://${written}/`) : { hostname: written }
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
