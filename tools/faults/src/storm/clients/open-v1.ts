import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { fetchAnywhere } from './fetch-anywhere.ts'
import type { OpenOfficial } from './official-client.ts'
import { callTimeoutMs } from './storm-client.ts'

/** A session of version 1 of the official SDK. */
export const openV1: OpenOfficial = async ({ canary, key, anywhere }, complain) => {
  const client = new Client({ name: canary, version: '1' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: canary, age: 1 } }))
  Object.assign(client, { onerror: ({ message }: Error) => complain(message) })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: (_url, init = {}) => fetchAnywhere(anywhere, init),
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport, { timeout: callTimeoutMs })
  return {
    call: (name, input, following) =>
      client.callTool({ name, arguments: input }, undefined, { timeout: callTimeoutMs, ...following }),
    isOver: () => false,
    async close() {
      await transport.terminateSession().catch(() => {})
      await client.close()
    },
  }
}
