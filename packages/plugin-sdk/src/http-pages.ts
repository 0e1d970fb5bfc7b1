import type { IncomingMessage, ServerResponse } from 'node:http'

/** Pages and endpoints that a plugin serves beside the MCP endpoint, at the gateway's public address. */
export interface HttpPages {
  /**
   * Their paths, which begin with `/`. A path that ends in `/*` stands for all paths below it. Paths of the gateway itself
   * (`/mcp`, `/sse`, the metadata of its endpoints) are never asked here.
   */
  readonly paths: readonly string[]
  /**
   * Answers a request. Its `Host` is one of the gateway's names; nothing else of it is checked, and its body is not read. An
   * error becomes an answer with status 500 without details of the error. When the storage of the nodes does not answer, it is
   * 503, and a page for people.
   *
   * `client` is the text under which attempts of the client are counted: its IPv4 address, or the /64 network of its IPv6
   * address. Behind a reverse proxy that the configuration trusts (`listen.http.trustedProxies`) it is that of the client;
   * the address of the socket is the proxy's.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse, client: string) => void | Promise<void>
}
