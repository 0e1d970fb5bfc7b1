import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseConfig } from '@junctor/config'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createNode, type NodeConfig } from '@junctor/node'
import { authServerPlugin } from '@junctor/plugin-auth-server'
import { demoPlugin } from '@junctor/plugin-demo'
import { mcpPlugin } from '@junctor/plugin-mcp'
import type { Plugin } from '@junctor/plugin-sdk'
import { startNatsServer } from '@junctor/testkit'

/** Nodes of one gateway, in this process. */
export interface RunningNodes {
  /** The URL of each node. */
  readonly urls: readonly string[]
  close(): Promise<void>
}

const plugins = [mcpPlugin, demoPlugin, authServerPlugin] as readonly Plugin[]

/** What nodes share: the memory of this process, or a NATS server of their own. */
export type SharedFabric = 'memory' | 'nats'

/**
 * Starts nodes on free ports. The backend has no prefix, because the suites use none; the demo runs beside it, to show that
 * it does not interfere.
 *
 * @param more other sections of the configuration
 */
export async function startNodes(
  count: number,
  backend: object,
  fabric: SharedFabric,
  more: object = {},
): Promise<RunningNodes> {
  await using started = new AsyncDisposableStack()
  const bus = createMemoryBus()
  const config = read({
    listen: { http: { port: 0 } },
    ...more,
    backends: { tested: { ...backend, prefix: '' }, demo: { plugin: demoPlugin.name } },
    fabric: fabric === 'nats' ? await onNats(started) : 'memory',
  })
  const urls: string[] = []
  while (urls.length < count) {
    const node = await createNode({ config, ...(fabric === 'memory' && { fabric: createMemoryFabric(bus) }) })
    started.defer(() => node.close())
    urls.push((await node.listen()).http.url)
  }
  const running = started.move()
  return { urls, close: () => running.disposeAsync() }
}

/** A fabric on a NATS server that ends with `started`. */
async function onNats(started: AsyncDisposableStack): Promise<object> {
  const server = await startNatsServer()
  started.defer(() => server.stop())
  return { nats: { servers: [server.url], key: randomBytes(32).toString('hex') } }
}

function read(content: object): NodeConfig {
  const file = join(import.meta.dirname, 'junctor.json')
  const parsed = parseConfig(JSON.stringify(content), { file, plugins, env: {} })
  if (parsed.kind === 'valid') return parsed.config
  throw new Error(`Expected a valid configuration, got ${JSON.stringify(parsed.problems)}`)
}
