import type { ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '@junctor/jsonrpc'
import { testCredentials } from '@junctor/testkit'
import { startHttpServer } from '@junctor/testkit/http'
import { type BrokenBackends, brokenBackend as row } from './broken-backend.ts'

const mcp = 'an MCP server'
const usable = 'a backend that can be used'
const reachable = 'a server that can be reached'

/** Real servers that do not work as backends. */
export async function startBrokenServers(): Promise<BrokenBackends & { close(): Promise<void> }> {
  const http = await startHttpServer(async (request, response) => {
    await text(request)
    answer(request.url ?? '', request.headers.authorization, response)
  })
  const tls = createTlsServer(testCredentials, (_request, response) => response.end())
  const ssh = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
  const closed = createTcpServer()
  const [tlsPort, sshPort, closedPort] = await Promise.all([tls, ssh, closed].map(listening))
  closed.close()
  const { port: httpPort, origin } = http
  const at = (path: string): JsonObject => ({ url: `${origin}/${path}` })
  const host = /^(?:a host that has no address|no answer of the name service)$/
  const selfSigned = 'a certificate that signs itself'
  const tokens = 'an authorization server that can be reached'
  const tokensFrom = (issuer: string): JsonObject => ({
    ...at('401'),
    auth: { clientCredentials: { clientId: 'me', clientSecret: 'very-secret', issuer } },
  })
  const withToken = { ...at('401'), auth: { bearer: 'my-old-token' } }
  return {
    failing: [
      row('host', { url: 'http://no-such-host.invalid/mcp' }, 'no_host', host, reachable, /host of "url"/),
      row('refused', on('http', closedPort), 'nothing_listens', 'nothing that listens there', reachable, /^Start/),
      row('ws-refused', on('ws', closedPort), 'nothing_listens', 'nothing that listens there', reachable, /^Start/),
      row('ws-no-token', on('ws', httpPort, '401'), 'unauthorized', 'HTTP 401', mcp, /^Give the token/),
      row('self-signed', on('https', tlsPort), 'tls', selfSigned, reachable, /NODE_EXTRA_CA_CERTS/),
      row('token-tls', tokensFrom(`https://localhost:${tlsPort}`), 'tls', selfSigned, tokens, /NODE_EXTRA_CA_CERTS/),
      row(
        'token-closed',
        tokensFrom(`http://127.0.0.1:${closedPort}`),
        'nothing_listens',
        /^nothing/,
        tokens,
        /port of the issuer/,
      ),
      row('no-tokens', tokensFrom(origin), 'no_token', /issues no token/, 'a token for the server', /"auth"/),
      row('no-tls', on('https', httpPort), 'tls', 'a server without TLS', reachable, /^Begin "url" with http:/),
      row('wants-tls', on('http', tlsPort), 'closed', /closed before the answer$/, mcp, /begins with https:/),
      row('ssh', on('http', sshPort), 'not_mcp', 'something that is no HTTP', mcp, /host, port and path/),
      row('page', at('page'), 'not_mcp', 'content of the type "text/html"', mcp, /host, port and path/),
      row('json', at('json'), 'not_mcp', 'the body holds no response to the request', mcp, /host, port and path/),
      row('no-token', at('401'), 'unauthorized', 'HTTP 401: refused', mcp, /^Give the token/),
      row('bad-token', withToken, 'unauthorized', 'HTTP 401: refused ***', mcp, /^Renew the token/),
      row('host-forbidden', at('403'), 'forbidden', 'HTTP 403: refused', mcp, /^Give the host of "url"/),
      row('forbidden', { ...at('403'), auth: withToken.auth }, 'forbidden', /^HTTP 403: refused/, mcp, /allowed to do/),
      row('not-found', at('404'), 'not_found', 'HTTP 404: refused', mcp, /^Check the path/),
      row('moved', at('301'), 'redirect', 'HTTP 301: refused', mcp, /address that it leads to/),
      row('no-component', { tool: `${origin}/404` }, 'other', /HTTP status 404$/, usable, /^Open the URL of "tool"/),
      row('no-module', { wasm: './gone.wasm' }, 'other', /gone\.wasm/, usable, /^Correct "wasm"/),
      row('busy', at('429'), 'http_status', 'HTTP 429: refused', mcp, /^Wait a while/),
      row('broken', at('500'), 'http_status', 'HTTP 500: refused', mcp, /log of the server/),
      row('bad-request', at('400'), 'http_status', 'HTTP 400: refused', mcp, /says what is wrong/),
      row(
        'header',
        { ...at(''), headers: { Host: 'x' } },
        'options',
        /header Host/,
        /^options/,
        /^Correct the options/,
      ),
    ],
    hanging: [row('hangs', at('hang'), 'silent', /^no answer in [\d.]+ s$/, 'an answer to initialize', /firewall/)],
    async close() {
      for (const server of [tls, ssh]) server.close()
      tls.closeAllConnections()
      await http.close()
    },
  }
}

function on(scheme: string, port: number | undefined, path = 'mcp'): JsonObject {
  return { url: `${scheme}://127.0.0.1:${port}/${path}` }
}

function answer(path: string, authorization: string | undefined, response: ServerResponse): void {
  if (path === '/hang') return
  if (path === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  else if (path === '/json') response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":1}')
  else if (!/^\/\d+$/.test(path)) response.writeHead(404).end()
  else {
    const error = `refused ${authorization?.replace('Bearer ', '') ?? ''}`.trim()
    response.writeHead(Number(path.slice(1)), { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}
