import { randomBytes } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startNatsServer, untilNoDescendants } from '@junctor/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway } from '../gateway-under-test.ts'
import type { Door, OfficialClient } from './official-client.ts'
import { openV1Client } from './open-v1-client.ts'
import { openV2Client } from './open-v2-client.ts'

/** A feature of servers, as a client of an official SDK uses it. */
export interface Feature {
  readonly name: string
  /** `folder` is the client's own folder, empty at first. It is the only root that the client gives to servers. */
  run(client: OfficialClient, folder: string): Promise<void>
}

/** The configured backends, by name. */
export type Backends = (folder: string) => Readonly<Record<string, object>>

/** Opens clients of one version of the official SDK. */
interface Sdk {
  readonly sdk: string
  readonly open: (door: Door) => Promise<OfficialClient>
}

const v1: Sdk = { sdk: 'SDK v1', open: openV1Client }
const v2: Sdk = { sdk: 'SDK v2', open: openV2Client }

/** A transport to a gateway, and how it ends after its clients. */
interface Entrance {
  readonly door: Door
  readonly close: () => Promise<void>
}

interface Way {
  readonly way: string
  readonly enter: (backends: object, folder: string) => Promise<Entrance>
  /** The SDKs that support this transport. Default: all. */
  readonly sdks?: readonly Sdk[]
}

const ways: readonly Way[] = [
  { way: 'HTTP, one node', enter: (backends) => enterByHttp(1, backends) },
  { way: 'HTTP, two nodes in turn', enter: (backends) => enterByHttp(2, backends) },
  { way: 'HTTP, two nodes in turn on NATS', enter: enterByNats },
  { way: 'HTTP, two nodes on NATS, and a worker', enter: enterByWorker },
  { way: 'HTTP+SSE, one node', enter: (backends) => enterBySse(1, backends) },
  { way: 'HTTP+SSE, two nodes in turn', enter: (backends) => enterBySse(2, backends) },
  { way: 'WebSocket', enter: enterByWebSocket, sdks: [v1] },
  { way: 'the bus, two nodes', enter: enterByBus },
  { way: 'stdio', enter: async (backends, folder) => ({ door: commandFor(backends, folder), close: async () => {} }) },
]

async function enterByHttp(nodes: 1 | 2, backends: object): Promise<Entrance> {
  const gateway = await startGateway({ nodes, config: { backends } })
  return { door: { kind: 'http', urls: gateway.urls }, close: () => gateway.close() }
}

async function enterByNats(backends: object): Promise<Entrance> {
  const server = await startNatsServer()
  const gateway = await startGateway({ nodes: 2, nats: server.url, config: { backends } })
  return {
    door: { kind: 'http', urls: gateway.urls },
    async close() {
      await gateway.close()
      await server.stop()
    },
  }
}

function enterByWorker(backends: object): Promise<Entrance> {
  const moved = Object.entries(backends).map(([name, backend]) => [name, { ...backend, runsOn: 'workers' }])
  return enterByNats(Object.fromEntries(moved))
}

async function enterBySse(nodes: 1 | 2, backends: object): Promise<Entrance> {
  const gateway = await startGateway({ nodes, config: { backends } })
  const urls = gateway.urls.map((url) => new URL('/sse', url).href)
  return { door: { kind: 'sse', urls }, close: () => gateway.close() }
}

async function enterByWebSocket(backends: object): Promise<Entrance> {
  const gateway = await startGateway({ nodes: 1, config: { backends } })
  const url = String(gateway.urls[0]).replace('http:', 'ws:')
  return { door: { kind: 'websocket', url }, close: () => gateway.close() }
}

async function enterByBus(backends: object): Promise<Entrance> {
  const nats = await startNatsServer()
  const cluster = 'features'
  const gateway = await startGateway({
    nodes: 2,
    config: {
      backends,
      fabric: { nats: { servers: [nats.url], cluster, key: randomBytes(32).toString('base64url') } },
      listen: { http: { port: 0 }, nats: true },
      auth: { anonymous: true },
    },
  })
  return {
    door: { kind: 'nats', server: nats.url, cluster },
    async close() {
      await gateway.close()
      await nats.stop()
    },
  }
}

/** The command that serves these backends on its standard input and output. */
function commandFor(backends: object, folder: string): Door & { readonly kind: 'stdio' } {
  const file = `${folder}.json`
  writeFileSync(file, JSON.stringify({ backends }))
  const main = fileURLToPath(new URL('../../../gateway/src/main.ts', import.meta.url))
  return { kind: 'stdio', command: process.execPath, args: [main, 'serve', '--stdio', '--config', file] }
}

/**
 * Tests every feature with every official SDK and every transport. Each combination uses one gateway and one client.
 */
export function describeFeatures(backends: Backends, features: readonly Feature[]): void {
  const cells = ways.flatMap(({ sdks = [v1, v2], ...way }) => sdks.map((sdk) => ({ ...way, ...sdk })))
  describe.each(cells)('$sdk, $way', ({ enter, open }) => {
    let folder: string
    let entrance: Entrance
    let client: OfficialClient
    beforeAll(async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'junctor-peers-')))
      entrance = await enter(backends(folder), folder)
      client = await open(entrance.door)
      client.answer('roots/list', () => ({ roots: [{ uri: `file://${folder}`, name: 'folder' }] }))
    })
    afterAll(async () => {
      await client.close()
      await entrance.close()
      rmSync(folder, { recursive: true })
      rmSync(`${folder}.json`, { force: true })
      await untilNoDescendants()
    })

    test.each(features)('$name', async (feature) => {
      expect.hasAssertions()
      await feature.run(client, folder)
    })

    test('the SDK reported no invalid message', () => {
      expect(client.complaints).toEqual([])
    })
  })
}
