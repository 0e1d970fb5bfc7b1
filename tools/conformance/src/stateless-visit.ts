import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client'

interface ToolCall {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

/**
 * Visits a gateway as a client of 2026-07-28: lists everything, calls each tool of the tested backend, reads each resource
 * and gets each prompt. Errors are ignored: the suite judges what has reached its server.
 *
 * @param calls the tool calls that the suite wants. Empty: each tool, with arguments that fit its schema
 */
export async function visitStateless(url: string, calls: readonly ToolCall[]): Promise<void> {
  const client = new Client(
    { name: 'client-driver', version: '1.0.0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { confirmed: true } }))
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools } = await client.listTools()
  const tested = tools.filter(({ name }) => !name.startsWith('demo__'))
  for (const call of calls.length > 0 ? calls : tested.map(fittingCall)) await quietly(() => client.callTool(call))
  const { resources } = await client.listResources()
  for (const { uri } of resources) await quietly(() => client.readResource({ uri }))
  const { prompts } = await client.listPrompts()
  for (const { name } of prompts) await quietly(() => client.getPrompt({ name, arguments: {} }))
  await client.close()
}

function fittingCall({ name, inputSchema: { properties = {} } }: Tool): ToolCall {
  return {
    name,
    arguments: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, valueFor(value)])),
  }
}

/** A value of the type that a schema asks for. */
function valueFor(schema: unknown): unknown {
  const { type } = (schema ?? {}) as { type?: unknown }
  if (type === 'string') return 'text'
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : 42
}

async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    // The suite's server answers some requests with errors.
  }
}
