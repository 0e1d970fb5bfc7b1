import { compiledOnce, startAlternatingProxy } from '@junctor/testkit'
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { fixtureBackendFile } from './fixture-backend-file.ts'
import { serveFixtureHttp } from './fixture-backend/serve-fixture-http.ts'
import { serveStatelessHttp } from './stateless-backend/serve-stateless-http.ts'
import { serveTaskFixture } from './task-backend/serve-task-fixture.ts'
import { type SharedFabric, startNodes } from './start-nodes.ts'

/** The components between a suite and the fixture backend. */
export interface Topology {
  /** `tasks`: the fixture with the tasks extension, over HTTP. */
  readonly backend: 'stdio' | 'http' | 'tasks'
  /** The revision of the backend: 2026-07-28, or the newest with a handshake. */
  readonly era: 'handshake' | 'stateless'
  /** With several, each request is sent to another node than the one before. */
  readonly nodes: 1 | 2 | 3
  /** What the nodes share. */
  readonly fabric: SharedFabric
}

/** The topologies in front of the fixture with the tasks extension. */
export const taskTopologies: readonly Topology[] = [
  { backend: 'tasks', era: 'stateless', nodes: 1, fabric: 'memory' },
  { backend: 'tasks', era: 'stateless', nodes: 3, fabric: 'nats' },
]

/**
 * The topologies in front of the fixture without extensions: both ways to reach a backend, both eras, one node and
 * several.
 */
export const topologies: readonly Topology[] = [
  { backend: 'stdio', era: 'handshake', nodes: 1, fabric: 'memory' },
  { backend: 'stdio', era: 'handshake', nodes: 2, fabric: 'memory' },
  { backend: 'http', era: 'handshake', nodes: 1, fabric: 'memory' },
  { backend: 'http', era: 'handshake', nodes: 3, fabric: 'nats' },
  { backend: 'stdio', era: 'stateless', nodes: 1, fabric: 'memory' },
  { backend: 'stdio', era: 'stateless', nodes: 3, fabric: 'nats' },
  { backend: 'http', era: 'stateless', nodes: 1, fabric: 'memory' },
  { backend: 'http', era: 'stateless', nodes: 3, fabric: 'nats' },
]

/** Its display name: `stdio handshake backend, 2 nodes`. */
export function topologyName({ backend, era, nodes, fabric }: Topology): string {
  const where = fabric === 'nats' ? ' on NATS' : ''
  return `${backend} ${era} backend, ${nodes === 1 ? '1 node' : `${nodes} nodes`}${where}`
}

/** Builds the topology, calls `use` with its URL, and always takes it down afterwards. */
export async function withTopology<T>(
  { backend, era, nodes, fabric }: Topology,
  use: (url: string) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack()
  const running = await startNodes(nodes, await fixture(backend, era, stack), fabric)
  stack.defer(() => running.close())
  if (backend !== 'tasks') await Promise.all(running.urls.map(warmUp))
  const proxy = await startAlternatingProxy(running.urls)
  stack.defer(() => proxy.close())
  return await use(`${proxy.url}/mcp`)
}

/** The options of a backend that connects to the fixture. */
async function fixture(
  backend: Topology['backend'],
  era: Topology['era'],
  stack: AsyncDisposableStack,
): Promise<object> {
  const isStateless = era === 'stateless'
  if (backend === 'stdio') {
    const args = [fixtureBackendFile, isStateless ? '--stateless' : '--stdio']
    return { command: process.execPath, args, env: compiledOnce }
  }
  const server =
    backend === 'tasks' ? await serveTaskFixture() : await (isStateless ? serveStatelessHttp() : serveFixtureHttp(0))
  stack.defer(() => server.close())
  return { url: server.url }
}

/**
 * Calls a tool at a node, for a client that can be asked and for one that cannot: the suite of 2026-07-28 gives such a call
 * 600 and 500 ms, in which a process must start otherwise. The two do not share a process.
 */
async function warmUp(url: string): Promise<void> {
  await Promise.all([
    callOnce(url, { elicitation: {} }, 'test_streaming_elicitation'),
    callOnce(url, {}, 'test_logging_tool'),
  ])
}

async function callOnce(url: string, capabilities: ClientCapabilities, tool: string): Promise<void> {
  const client = new Client(
    { name: 'warm-up', version: '1' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { name: 'Ada' } }))
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  await client.callTool({ name: tool, arguments: {} })
  await client.close()
}
