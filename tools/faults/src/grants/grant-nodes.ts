import { hash, randomBytes } from 'node:crypto'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@junctor/jsonrpc'
import { type StormNode, prepareNode } from '../storm/deployment/storm-node.ts'
import { startNatsServers } from '../storm/deployment/start-nats-servers.ts'

/** A node that can be away. */
export interface GrantNode {
  readonly node: StormNode
  isThere: boolean
}

/** Gateways on NATS with a backend `api` that is called with the account of each caller, behind one public URL. */
export interface GrantNodes {
  readonly nodes: readonly GrantNode[]
  close(): Promise<void>
}

export interface GrantNodesOptions {
  readonly folder: string
  readonly nodes: number
  /** The names of the people, each with a key of the same name. */
  readonly people: readonly string[]
  /** The URL of the MCP server. */
  readonly server: string
}

/** The key of a person. */
export const keyOf = (name: string): string => `key-of-${name}`

export async function startGrantNodes({
  folder,
  nodes: count,
  people,
  server,
}: GrantNodesOptions): Promise<GrantNodes> {
  const nodes: GrantNode[] = []
  const proxy = await startProxy(nodes)
  const nats = await startNatsServers(1, { isDurable: true })
  const keys = people.map((name) => [name, { hash: `sha256:${hash('sha256', keyOf(name), 'hex')}` }])
  const config: JsonObject = {
    publicUrl: proxy.url,
    fabric: { nats: { servers: [...nats.urls], key: randomBytes(32).toString('base64url') } },
    auth: { apiKeys: Object.fromEntries(keys) as JsonObject },
    backends: { api: { url: server, auth: { oauth: {} } } },
    limits: { drainDelay: '200ms' },
  }
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map(({ node }) => node.kill()))
    await nats.close()
    await proxy.close()
  }
  try {
    for (let index = 0; index < count; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- concurrent starts would only compete for the processors
      const node = await prepareNode({ name: `node-${index}`, role: 'gateway', folder, config })
      nodes.push({ node, isThere: true })
      // oxlint-disable-next-line no-await-in-loop -- see above
      await node.start()
    }
    return { nodes, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** One URL in front of the nodes that are there, for browsers: each request goes to the next one. */
async function startProxy(nodes: readonly GrantNode[]): Promise<{ url: string; close(): Promise<void> }> {
  let count = 0
  const server = createServer((request, response) => {
    const there = nodes.filter(({ isThere }) => isThere)
    const target = new URL(there[(count += 1) % there.length]?.node.url ?? '')
    const { method, url: path, headers } = request
    const forwarded = send({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
