import type { OAuthMemory } from './oauth-memory.ts'
import {
  Client as V2Client,
  SSEClientTransport as V2SseTransport,
  StreamableHTTPClientTransport as V2Transport,
} from '@modelcontextprotocol/client'
import type { OAuthClientProvider as V1Provider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as V1SseTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** An official client that gets its tokens itself. */
export interface LoginClient {
  readonly client: V1Client | V2Client
  /** Connects, or throws and has the page in the memory. */
  connect(): Promise<void>
  /** Continues with what the authorization server has sent back. */
  finish(answer: URLSearchParams): Promise<void>
}

/** The official clients of both versions of the SDK, for the endpoint at a URL: with HTTP+SSE at `/sse`. */
export const officialClients: Readonly<Record<'v1' | 'v2', (url: URL, memory: OAuthMemory) => LoginClient>> = {
  v1(url, memory) {
    const client = new V1Client({ name: 'v1', version: '1' })
    const options = { authProvider: memory as unknown as V1Provider }
    const transport = isSse(url) ? new V1SseTransport(url, options) : new V1Transport(url, options)
    return {
      client,
      connect: () => client.connect(transport),
      finish: (answer) => transport.finishAuth(String(answer.get('code'))),
    }
  },
  v2(url, memory) {
    const client = new V2Client({ name: 'v2', version: '2' }, { versionNegotiation: { mode: 'auto' } })
    const options = { authProvider: memory }
    const transport = isSse(url) ? new V2SseTransport(url, options) : new V2Transport(url, options)
    return { client, connect: () => client.connect(transport), finish: (answer) => transport.finishAuth(answer) }
  },
}

function isSse(url: URL): boolean {
  return url.pathname.startsWith('/sse')
}
