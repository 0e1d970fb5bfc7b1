import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { fetchAnywhere } from './fetch-anywhere.ts'
import type { OpenOfficial } from './official-client.ts'
import { callTimeoutMs } from './storm-client.ts'

/** A session of version 2 of the official SDK, with the handshake. */
export const openV2: OpenOfficial = async ({ canary, key, anywhere }, complain) => {
  const client = new Client(
    { name: canary, version: '2' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: 'legacy' },
      supportedProtocolVersions: ['2025-11-25'],
    },
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: canary, age: 1 } }))
  Object.assign(client, { onerror: ({ message }: Error) => complain(message) })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: (_url, init = {}) => fetchAnywhere(anywhere, init),
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport, { timeout: callTimeoutMs })
  return {
    call: (name, input, following) =>
      client.callTool({ name, arguments: input }, { timeout: callTimeoutMs, ...following }),
    isOver: () => false,
    async close() {
      await transport.terminateSession().catch(() => {})
      await client.close()
    },
  }
}
