import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { createNode, createWorker, type JunctorNode, type NodeConfig } from '@junctor/node'
import { type Log, silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { Plugin } from '@junctor/plugin-sdk'
import { publishPipes } from './canaries/seen-messages.ts'
import { watchGateway } from './canaries/watch-gateway.ts'
import { parsedFor, plugins } from './parsed-for.ts'

/** A nats-server, and the cluster of the nodes on it. */
export interface BusUnderTest {
  readonly server: string
  readonly cluster: string
}

/** A gateway with one or more nodes in this process, with real transports. */
export interface GatewayUnderTest {
  /** One URL for each node. A client that uses them in turn reaches all nodes. */
  readonly urls: readonly string[]
  readonly nodes: readonly JunctorNode[]
  /** The admin ports of the nodes. Empty unless the configuration opens them. */
  readonly admins: readonly string[]
  /** Where clients on the bus are served. Absent: they are not served. */
  readonly bus?: BusUnderTest
  /** A pair of pipes to the first node: a client writes to `input` and reads from `output`. */
  stdio(): { readonly input: PassThrough; readonly output: PassThrough; readonly closed: Promise<unknown> }
  close(): Promise<void>
}

interface GatewayOptions {
  readonly nodes: 1 | 2 | 3
  /** The URL of the nats-server that they share, in a cluster of their own. Default: they share memory. */
  readonly nats?: string | undefined
  /** With `bus`, the nodes serve clients there, and accept clients without credentials. */
  readonly way?: string
  /** Whether the test has run in another cell, where the status was read for secrets. */
  readonly isRepeated?: boolean
  /** The configuration as in its file. Without `listen`, the nodes listen on free ports. */
  readonly config: object
  /** Plugins besides `mcp`, `openapi`, `wasm` and `demo`. */
  readonly plugins?: readonly Plugin[]
  readonly log?: Log
  /** The folder of the configuration, absolute. Default: that of the sources. */
  readonly folder?: string
}

/** The parts of a configuration that a gateway under test completes. */
interface GatewayConfig {
  readonly listen?: { readonly admin?: { readonly token?: string } }
  readonly limits?: object
}

/** Starts the nodes on free ports, on one fabric; and a worker, if backends run on workers. */
export async function startGateway(options: GatewayOptions): Promise<GatewayUnderTest> {
  const { plugins: more = [] } = options
  const { nats } = options
  const fabric = nats === undefined ? {} : { fabric: { nats: clusterAt(nats) } }
  const onBus = options.way === 'bus'
  const { listen, limits, ...content }: GatewayConfig = options.config
  const admin = { port: 0, token: 'a-token-for-the-watch-of-secrets', ...listen?.admin }
  const watch = watchGateway(options.log ?? silentLog, admin.token)
  const config = readConfig(
    {
      ...fabric,
      audit: { file: watch.audit },
      ...(onBus && { auth: { anonymous: true } }),
      listen: { http: { port: 0 }, ...(onBus && { nats: true }), ...listen, admin },
      // At the end of a test no client collects what is left.
      limits: { grace: '100ms', ...limits },
      ...content,
    },
    more,
    options.folder,
  )
  const bus = createMemoryBus()
  const { log } = watch
  const hasWorker = config.backends.some(({ runsOn }) => runsOn === 'workers')
  const worker = hasWorker ? await createWorker({ config, log }) : undefined
  const nodes = await Promise.all(
    Array.from({ length: options.nodes }, () =>
      createNode({
        config,
        plugins: [...plugins, ...more],
        ...(config.fabric === 'memory' && { fabric: createMemoryFabric(bus) }),
        log,
      }),
    ),
  )
  const addresses = await Promise.all(nodes.map((node) => node.listen()))
  const admins = addresses.flatMap(({ admin: { url } = { url: undefined } }) => (url === undefined ? [] : [url]))
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    // The nodes have the same backends, and starting those that were never asked takes much of the processor's time.
    await watch.look(admins, options.isRepeated === true ? undefined : admins[0])
    await Promise.all(nodes.map((node) => node.close()))
    await worker?.close()
    watch.end()
  }
  return {
    urls: addresses.map(({ http }) => http.url),
    nodes,
    admins: listen?.admin === undefined ? [] : admins,
    ...busOf(config),
    stdio() {
      const input = new PassThrough()
      const output = new PassThrough()
      publishPipes(input, input, output)
      const server = (nodes[0] as JunctorNode).serveStdio(input, output)
      return { input, output, closed: server.closed }
    },
    close: () => (closed ??= close()),
  }
}

/** Where clients on the bus are served, if they are. */
function busOf({ fabric, listen }: NodeConfig): { readonly bus?: BusUnderTest } {
  if (fabric === 'memory' || !listen.nats) return {}
  return { bus: { server: fabric.nats.servers[0] as string, cluster: fabric.nats.cluster } }
}

/** A new cluster without other nodes. */
function clusterAt(server: string): object {
  const [cluster, key] = [randomBytes(8).toString('hex'), randomBytes(32).toString('base64url')]
  return { servers: [server], cluster, key }
}

function readConfig(content: object, more: readonly Plugin[], folder: string | undefined): NodeConfig {
  const parsed = parsedFor(content, more, folder)
  if (parsed.kind === 'valid') return parsed.config
  throw new Error(`Expected a valid configuration: ${JSON.stringify(parsed.problems)}`)
}
