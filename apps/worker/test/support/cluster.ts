import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { createNode, type JunctorNode, readConfig } from '@junctor/node'
import { demoPlugin } from '@junctor/plugin-demo'
import { mcpPlugin } from '@junctor/plugin-mcp'
import { programFile, startNatsServer, untilGone } from '@junctor/testkit'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/** A nats-server, a configuration, and the processes that were started with it. */
export interface Cluster {
  readonly file: string
  /** Starts a worker and waits until it is ready. */
  startWorker(...words: readonly string[]): Promise<WorkerProcess>
  /** Starts a gateway in this process, and returns its URL. */
  startGateway(): Promise<string>
  /** Opens a client of the official SDK. */
  openClient(url: string): Promise<Client>
  /** Ends everything. Rejects when a process is left. */
  close(): Promise<void>
}

const server = programFile(new URL('tools-server.ts', import.meta.url))

const defaultBackends: JsonObject = {
  child: { command: process.execPath, args: [server], runsOn: 'workers' },
  demo: { plugin: '@junctor/plugin-demo', runsOn: 'workers' },
}

/** @param backends the backends of its configuration */
export async function createCluster(backends: JsonObject = defaultBackends): Promise<Cluster> {
  const nats = await startNatsServer()
  const folder = mkdtempSync(join(tmpdir(), 'junctor-worker-'))
  const file = join(folder, 'junctor.json')
  const content = {
    listen: { http: { port: 0 } },
    fabric: { nats: { servers: [nats.url], key: 'k'.repeat(32) } },
    limits: { grace: '10s' },
    backends,
  }
  writeFileSync(file, JSON.stringify(content))
  const workers: WorkerProcess[] = []
  const gateways: JunctorNode[] = []
  const clients: Client[] = []
  return {
    file,
    async startWorker(...words) {
      const worker = startWorker(['--config', file, '--json', '--log-level', 'warn', ...words])
      workers.push(worker)
      await worker.ready()
      return worker
    },
    async startGateway() {
      const plugins = [mcpPlugin, demoPlugin]
      const parsed = await readConfig(file, { plugins, env: {} })
      if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
      const node = await createNode({ config: parsed.config })
      gateways.push(node)
      const { http } = await node.listen()
      return http.url
    },
    async openClient(url) {
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: { form: {} }, sampling: {} } },
      )
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      clients.push(client)
      return client
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
      await Promise.all(gateways.map((gateway) => gateway.close()))
      const left = workers.flatMap((worker) => worker.descendants())
      for (const { child } of workers) child.kill('SIGTERM')
      await Promise.all(workers.map((worker) => worker.ended()))
      await untilGone(left)
      await nats.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
