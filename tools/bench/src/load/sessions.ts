import type { Encode } from './calls.ts'
import { ask, type Lane } from './lane.ts'

const revision = '2025-11-25'

const initialize: string = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
})

const initialized: string = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })

/** Where an MCP server on this machine is, and what it wants to see of its callers. */
export interface Endpoint {
  readonly port: number
  readonly path: string
  /** A bearer token; absent: the server asks for none. */
  readonly key?: string | undefined
}

/** Puts a message into a POST to the endpoint, in a session if there is one. */
export function encodePost({ port, path, key }: Endpoint, session: string | undefined): Encode {
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `mcp-protocol-version: ${revision}`,
    ...(session === undefined ? [] : [`mcp-session-id: ${session}`]),
  ].join('\r\n')
  return (message) => Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`)
}

/** Puts a message into a line. */
export const encodeLine: Encode = (message) => Buffer.from(`${message}\n`)

/** Opens a session over HTTP, and returns its id. */
export async function openHttpSession(lane: Lane, endpoint: Endpoint): Promise<string> {
  const { head = '' } = await ask(lane, encodePost(endpoint, undefined)(initialize))
  const session = /\r\nmcp-session-id: *([^\r]+)/i.exec(head)?.[1]
  if (session === undefined) throw new Error('the server opened no session')
  await ask(lane, encodePost(endpoint, session)(initialized))
  return session
}

/** Opens the one session that standard streams have. */
export async function openStdioSession(lane: Lane): Promise<void> {
  await ask(lane, encodeLine(initialize))
  lane.send(encodeLine(initialized))
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
