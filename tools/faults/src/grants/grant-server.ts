import type { ServerResponse } from 'node:http'
import type { JsonObject } from '@junctor/jsonrpc'
import { type ScriptedRequest, sendJson, startScriptedServer } from '@junctor/testkit'
import { type Form, GrantAuthority } from './grant-authority.ts'

/** A call that the server has run. */
export interface RunCall {
  /** What the call named itself. */
  readonly call: string
  /** Whose token it had. */
  readonly person: string
}

/** An MCP server by hand that is its own authorization server, and notes everything. */
export interface GrantServer {
  readonly url: string
  readonly authority: Pick<GrantAuthority, 'grants' | 'reuses'>
  readonly runs: readonly RunCall[]
  close(): Promise<void>
}

/** Starts it on a free port of 127.0.0.1. The caller closes it. */
export async function startGrantServer(): Promise<GrantServer> {
  const authority = new GrantAuthority()
  const runs: RunCall[] = []
  const server = await startScriptedServer((request, response) => {
    const { method, path, body } = request
    const [at = ''] = path.split('?', 1)
    const form = body as Form
    if (at.startsWith('/.well-known/oauth-authorization-server')) return sendJson(response, metadataOf(server.origin))
    if (at === '/register') return sendJson(response, { client_id: 'gateway' }, 201)
    if (at === '/authorize') return authorize(request, response, authority)
    if (at === '/token') {
      const tokens = authority.token(form)
      return sendJson(response, tokens ?? { error: 'invalid_grant' }, tokens === undefined ? 400 : 200)
    }
    if (at === '/revoke') authority.revoke(form)
    if (at === '/mcp' && method === 'POST') return call(request, response, authority, runs)
    return void response.writeHead(at === '/revoke' ? 200 : 405).end()
  })
  return { url: `${server.origin}/mcp`, authority, runs, close: () => server.close() }
}

function call(
  { headers, body }: ScriptedRequest,
  response: ServerResponse,
  authority: GrantAuthority,
  runs: RunCall[],
): void {
  const grant = authority.grantOf((headers.authorization ?? '').slice('Bearer '.length))
  if (grant === undefined) response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
  else if (body['id'] === undefined) response.writeHead(202).end()
  else sendJson(response, { jsonrpc: '2.0', id: body['id'], result: resultOf(body, grant.person, runs) })
}

/** A page that asks for the name, and then the way back. */
function authorize({ method, path, body }: ScriptedRequest, response: ServerResponse, authority: GrantAuthority): void {
  if (method === 'GET') {
    const form = `<form method="post" action="${path.replaceAll('&', '&amp;')}"><input name="login"></form>`
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(form)
  }
  const query = new URLSearchParams(path.slice(path.indexOf('?')))
  const { login = '' } = body as Form
  const back = new URL(query.get('redirect_uri') ?? '')
  back.searchParams.set('code', authority.codeFor(login))
  back.searchParams.set('state', query.get('state') ?? '')
  response.writeHead(302, { location: back.href }).end()
}

function metadataOf(origin: string): JsonObject {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    response_types_supported: ['code'],
  }
}

function resultOf({ method, params }: JsonObject, person: string, runs: RunCall[]): JsonObject {
  if (method === 'initialize') {
    const serverInfo = { name: 'grants', version: '1' }
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') return { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] }
  if (method !== 'tools/call') return {}
  const { arguments: given } = params as { readonly arguments: { readonly call: string } }
  runs.push({ call: given.call, person })
  return { content: [{ type: 'text', text: `I am ${person}` }] }
}
