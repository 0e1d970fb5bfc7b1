import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  type CreateMessageResult,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
  type ListRootsResult,
} from '@modelcontextprotocol/sdk/types.js'
import { createConversation } from './conversation.ts'
import {
  clientCapabilities,
  fetchInTurn,
  type GatewayAddress,
  type OfficialClient,
  oneAtATime,
} from './official-client.ts'
import { openBusTransport } from './open-bus-transport.ts'
import { sdkRequests } from './sdk-requests.ts'

/** A client of version 1 of the official SDK, which opens with 2025-11-25. */
export async function openV1Client(address: GatewayAddress): Promise<OfficialClient> {
  const client = new Client({ name: 'official-v1', version: '1' }, { capabilities: clientCapabilities })
  const { receive, ask, reportError, ...conversation } = createConversation()
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ask('elicitation/create', params) as ElicitResult)
  client.setRequestHandler(
    CreateMessageRequestSchema,
    ({ params }) => ask('sampling/createMessage', params) as CreateMessageResult,
  )
  client.setRequestHandler(ListRootsRequestSchema, ({ params }) => ask('roots/list', params) as ListRootsResult)
  Object.assign(client, { fallbackNotificationHandler: receive, onerror: reportError })
  const { transport, end } = await openTransport(address)
  await client.connect(transport)
  oneAtATime(transport)

  const requests = sdkRequests(client, (params, options) => client.callTool(params, undefined, options), end)
  return { ...conversation, ...requests }
}

async function openTransport(
  address: GatewayAddress,
): Promise<{ readonly transport: Transport; readonly end: () => Promise<void> }> {
  if (address.kind === 'nats') return openBusTransport(address)

  if (address.kind === 'stdio') {
    const { command, args } = address
    const program = new StdioClientTransport({ command, args: [...args], stderr: 'ignore' })
    return { transport: program, end: () => Promise.resolve() }
  }
  if (address.kind === 'websocket') {
    return { transport: new WebSocketClientTransport(new URL(address.url)), end: () => Promise.resolve() }
  }
  const url = new URL(address.urls[0] as string)
  const options = { fetch: fetchInTurn(address.urls) }
  if (address.kind === 'sse') return { transport: new SSEClientTransport(url, options), end: () => Promise.resolve() }
  const http = new StreamableHTTPClientTransport(url, options)
  return { transport: http, end: () => http.terminateSession() }
}
