import type { Encode } from './calls.ts'
import { ask, type Lane } from './lane.ts'

const latest = '2025-11-25'

function initialize(protocolVersion: string): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
  })
}

const initialized: string = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })

/** The address of an MCP server on this machine, and its requirements. */
export interface Endpoint {
  readonly port: number
  readonly path: string
  /** A bearer token; absent when the server needs none. */
  readonly key?: string | undefined
  /** The revision of the requests. Default: the newest with a handshake. */
  readonly revision?: string | undefined
  /** The `Accept` header of a POST. Default: JSON and events. */
  readonly accept?: string | undefined
}

/** The revision without sessions. */
const stateless = '2026-07-28'

/** What each request of 2026-07-28 declares. */
const declarations = {
  'io.modelcontextprotocol/protocolVersion': stateless,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Encodes a message as a POST to the endpoint, in a session if there is one. */
export function encodePost(endpoint: Endpoint, session: string | undefined): Encode {
  return endpoint.revision === stateless ? encodeStateless(endpoint) : encodeInSession(endpoint, session)
}

/** Encodes a message of 2026-07-28: with its declarations, and with the headers that repeat its method and name. */
function encodeStateless(endpoint: Endpoint): Encode {
  return (message) => {
    const { params = {}, ...rest } = JSON.parse(message) as { method: string; params?: { name?: string } }
    const named = params.name === undefined ? [] : [`mcp-name: ${params.name}`]
    const accepted = ['content-type: application/json', 'accept: application/json, text/event-stream']
    const mirrors = [`mcp-method: ${rest.method}`, ...named]
    const head = [...requestHead('POST', endpoint, undefined), ...accepted, ...mirrors].join('\r\n')
    const body = JSON.stringify({ ...rest, params: { ...params, _meta: declarations } })
    return Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
}

function encodeInSession(endpoint: Endpoint, session: string | undefined): Encode {
  const { accept = 'application/json, text/event-stream' } = endpoint
  const accepted = ['content-type: application/json', `accept: ${accept}`]
  const head = [...requestHead('POST', endpoint, session), ...accepted].join('\r\n')
  return (message) => Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`)
}

/** A GET for the stream of a session: of lines if the server has them, else of events. */
export function encodeGet(endpoint: Endpoint, session: string): Uint8Array {
  return Buffer.from([...requestHead('GET', endpoint, session), 'accept: */*', '', ''].join('\r\n'))
}

function requestHead(verb: string, endpoint: Endpoint, session: string | undefined): readonly string[] {
  const { port, path, key, revision = latest } = endpoint
  return [
    `${verb} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    `mcp-protocol-version: ${revision}`,
    ...(session === undefined ? [] : [`mcp-session-id: ${session}`]),
  ]
}

/** Encodes a message as a line. */
export const encodeLine: Encode = (message) => Buffer.from(`${message}\n`)

/** Opens a session over HTTP, and returns its id. */
export async function openHttpSession(lane: Lane, endpoint: Endpoint): Promise<string> {
  const { head = '' } = await ask(lane, encodePost(endpoint, undefined)(initialize(endpoint.revision ?? latest)))
  const session = /\r\nmcp-session-id: *([^\r]+)/i.exec(head)?.[1]
  if (session === undefined) throw new Error('the server opened no session')
  await ask(lane, encodePost(endpoint, session)(initialized))
  return session
}

/** Opens the only session of a connection: standard streams, or a WebSocket. */
export async function openOwnSession(lane: Lane, encode: Encode): Promise<void> {
  await ask(lane, encode(initialize(latest)))
  lane.send(encode(initialized))
}

/** Opens sessions, one after the other on each lane. */
export async function openHttpSessions(lanes: readonly Lane[], endpoint: Endpoint, count: number): Promise<void> {
  let left = count
  await Promise.all(
    lanes.map(async (lane) => {
      while (left-- > 0) await openHttpSession(lane, endpoint)
    }),
  )
}
