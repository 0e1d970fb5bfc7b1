import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { startNodes } from './start-nodes.ts'

// client-driver.ts URL: what a suite that judges clients starts. It puts the gateway in front of the suite's server, and
// does as a client of the gateway what the scenario asks for.
const url = process.argv[2] ?? ''

/** The tool that each scenario wants to be called; `initialize` wants none. */
const calls: Readonly<Record<string, { readonly name: string; readonly arguments: Record<string, unknown> }>> = {
  tools_call: { name: 'add_numbers', arguments: { a: 2, b: 3 } },
  'elicitation-sep1034-client-defaults': { name: 'test_client_elicitation_defaults', arguments: {} },
  'sse-retry': { name: 'test_reconnection', arguments: {} },
}

// The suite only ends the shell that it started this in.
setTimeout(() => process.exit(1), 30_000).unref()

const nodes = await startNodes(1, { url })
const client = new Client(
  { name: 'client-driver', version: '1.0.0' },
  { capabilities: { elicitation: { form: { applyDefaults: true } } } },
)
// Whoever accepts without filling anything in gets what the form has by default.
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }))
await client.connect(new StreamableHTTPClientTransport(new URL(nodes.urls[0] ?? '')))
await client.listTools()
const call = calls[process.env['MCP_CONFORMANCE_SCENARIO'] ?? '']
if (call !== undefined) await client.callTool(call)
await client.close()
await nodes.close()
