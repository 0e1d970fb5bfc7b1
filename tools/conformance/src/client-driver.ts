import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { startNodes } from './start-nodes.ts'
import { visitStateless } from './stateless-visit.ts'
import { statelessScenarios } from './stateless-scenarios.ts'

// client-driver.ts URL: the program that a suite for clients starts. It puts the gateway in front of the suite's
// server, and acts as a client of the gateway according to the scenario.
const url = process.argv[2] ?? ''

/** The tool call of each scenario; `initialize` has none. */
const calls: Readonly<Record<string, { readonly name: string; readonly arguments: Record<string, unknown> }>> = {
  tools_call: { name: 'add_numbers', arguments: { a: 2, b: 3 } },
  'elicitation-sep1034-client-defaults': { name: 'test_client_elicitation_defaults', arguments: {} },
  'sse-retry': { name: 'test_reconnection', arguments: {} },
}

// The suite ends only the shell that it started this in.
setTimeout(() => process.exit(1), 30_000).unref()

const nodes = await startNodes(1, { url }, 'memory')
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
await (statelessScenarios.has(scenario) ? visitStateless(target(), wantedCalls()) : visit(scenario))
await nodes.close()

function target(): string {
  return nodes.urls[0] ?? ''
}

/** The tool calls that the suite describes. */
function wantedCalls(): Parameters<typeof visitStateless>[1] {
  const { toolCalls = [] } = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
    toolCalls?: Parameters<typeof visitStateless>[1]
  }
  return toolCalls
}

async function visit(name: string): Promise<void> {
  const client = new Client(
    { name: 'client-driver', version: '1.0.0' },
    { capabilities: { elicitation: { form: { applyDefaults: true } } } },
  )
  // A client that accepts without filling in anything returns the defaults of the form.
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }))
  await client.connect(new StreamableHTTPClientTransport(new URL(target())))
  const { tools } = await client.listTools()
  const call = calls[name]
  if (call !== undefined) await client.callTool(call)
  // The suite compares what its client has got of this schema.
  const schema = tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema
  if (schema !== undefined) await client.callTool({ name: 'json_schema_echo', arguments: { schema } })
  await client.close()
}
