import {
  Client,
  type CreateMessageResult,
  type ElicitResult,
  type ListRootsResult,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
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

/** A client of version 2 of the official SDK. It opens with a handshake, and supports only 2025-11-25. */
export async function openV2Client(address: GatewayAddress): Promise<OfficialClient> {
  const client = new Client(
    { name: 'official-v2', version: '2' },
    {
      capabilities: clientCapabilities,
      versionNegotiation: { mode: 'legacy' },
      supportedProtocolVersions: ['2025-11-25'],
    },
  )
  const { receive, ask, reportError, ...conversation } = createConversation()
  client.setRequestHandler('elicitation/create', ({ params }) => ask('elicitation/create', params) as ElicitResult)
  client.setRequestHandler(
    'sampling/createMessage',
    ({ params }) => ask('sampling/createMessage', params) as CreateMessageResult,
  )
  client.setRequestHandler('roots/list', ({ params }) => ask('roots/list', params) as ListRootsResult)
  Object.assign(client, { fallbackNotificationHandler: receive, onerror: reportError })
  const { transport, end } = await openTransport(address)
  await client.connect(transport)
  oneAtATime(transport)

  const requests = sdkRequests(client, (params, options) => client.callTool(params, options), end)
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
  if (address.kind === 'websocket') throw new Error('SDK v2 has no client over WebSockets')
  const url = new URL(address.urls[0] as string)
  const options = { fetch: fetchInTurn(address.urls) }
  if (address.kind === 'sse') return { transport: new SSEClientTransport(url, options), end: () => Promise.resolve() }
  const http = new StreamableHTTPClientTransport(url, options)
  return { transport: http, end: () => http.terminateSession() }
}
