import type { HttpClient, HttpRequest, HttpResponse } from '@junctor/plugin-sdk/http'
import type { HttpToolsConfig } from './config.ts'
import { hostIn, namedHosts } from './sources.ts'

/** Requests to components and registries, with the configured headers where those may be sent. */
export interface Requests {
  /** @throws HttpRequestError */
  send(url: string, request: HttpRequest): Promise<HttpResponse>
  close(): Promise<void>
}

/** Headers and credentials are for hosts that the configuration names, never for those that a registry names. */
export function createRequests(config: HttpToolsConfig, http: HttpClient): Requests {
  const named = new Set(namedHosts(config))
  const { auth, headers } = config
  const own = { ...headers, ...(auth !== undefined && { authorization: `Bearer ${auth.bearer}` }) }
  return {
    send: (url, request) =>
      http.request(url, named.has(hostIn(url)) ? { ...request, headers: { ...own, ...request.headers } } : request),
    close: () => http.close(),
  }
}

/**
 * The body of an answer as text. What is longer is not read.
 *
 * @throws HttpRequestError when it does not arrive, or is too large
 */
export async function readText(response: HttpResponse, maxBytes: number): Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.pieces()) {
    size += piece.length
    if (size > maxBytes) return undefined
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}
