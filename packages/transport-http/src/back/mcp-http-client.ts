import { type AccessTokens, type Log, type Receiver, silentLog, type Transport } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { createHttpOrigin, type HttpOrigin, type McpHttpClientLimits } from './http-origin.ts'
import { createHttpSession, type HttpSession, type MessageHeaders } from './http-session.ts'
import { openSseTransport } from './sse-transport.ts'
import { withTokens } from './with-tokens.ts'

/** How a server's MCP endpoint is reached. */
export interface McpHttpClientOptions {
  /** The server's MCP endpoint, `http:` or `https:`. No request ever goes to another origin. */
  readonly url: string | URL
  /** Sent with every request, besides the protocol's own headers. Nothing else is ever sent. */
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: Partial<McpHttpClientLimits>
  /** Receives protocol violations of the server. Default: nothing is logged. */
  readonly log?: Log
  /** The name of the backend, for errors in place of its malformed responses. Default: they name none. */
  readonly backend?: string
}

/** An MCP server over HTTP. Its connections are shared by all sessions, and kept alive between requests. */
export interface McpHttpClient {
  /**
   * Creates a session, of which the server does not know yet.
   *
   * @param headersOf returns further headers for a message (2026-07-28 repeats members of a message there). Default: none
   */
  createSession(headersOf?: MessageHeaders): HttpSession
  /**
   * Connects over HTTP+SSE (2024-11-05), where one stream and one endpoint form a connection. Rejects when the server
   * does not support it.
   */
  openSseTransport(receiver: Receiver, signal: AbortSignal): Promise<Transport>
  /** The same server for the owner of these tokens. The connections are shared, and `close` closes nothing. */
  withTokens(tokens: AccessTokens): McpHttpClient
  /** Closes every connection immediately. Close the sessions before. */
  close(): Promise<void>
}

/** The limits of a client without limits of its own. */
export const defaultMcpHttpClientLimits: McpHttpClientLimits = { messageBytes: 16 * 1024 * 1024 }

/** @throws JunctorError `CONFIG_INVALID` for a URL or header that cannot be used */
export function createMcpHttpClient({
  url,
  headers = {},
  limits,
  log = silentLog,
  backend,
}: McpHttpClientOptions): McpHttpClient {
  const origin = createHttpOrigin({
    url: parseUrl(url),
    headers,
    limits: { ...defaultMcpHttpClientLimits, ...limits },
    log,
    backend,
  })
  return clientOf(origin)
}

function clientOf(origin: HttpOrigin): McpHttpClient {
  return {
    createSession: (headersOf) => createHttpSession(origin, headersOf),
    openSseTransport: (receiver, signal) => openSseTransport(origin, receiver, signal),
    withTokens: (tokens) => clientOf(withTokens(origin, tokens)),
    close: () => origin.close(),
  }
}

function parseUrl(url: string | URL): URL {
  const parsed = URL.parse(String(url))
  if (parsed === null) throw new JunctorError('CONFIG_INVALID', 'Expected an absolute URL, got something else')
  return parsed
}
