import { randomBytes } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { junctorArgs, startNatsServer, untilNoDescendants } from '@junctor/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway } from '../gateway-under-test.ts'
import type { GatewayAddress, OfficialClient } from './official-client.ts'
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
  readonly open: (address: GatewayAddress) => Promise<OfficialClient>
}

const v1: Sdk = { sdk: 'SDK v1', open: openV1Client }
const v2: Sdk = { sdk: 'SDK v2', open: openV2Client }

/** A transport to a gateway, and how it ends after its clients. */
interface Entrance {
  readonly address: GatewayAddress
  readonly close: () => Promise<void>
}

interface Way {
  readonly way: string
  readonly enter: (backends: object, folder: string) => Promise<Entrance>
  /** The SDKs that support this transport. Default: all. */
  readonly sdks?: readonly Sdk[]
  /** Whether messages pass more on it than on others like it. */
  readonly isLong?: true
}

const ways: readonly Way[] = [
  { way: 'HTTP, one node', enter: (backends) => enterGateway(1, backends, streamable) },
  { way: 'HTTP, two nodes in turn', enter: (backends) => enterGateway(2, backends, streamable) },
  {
    way: 'HTTP, two nodes in turn, and a worker',
    enter: (backends) => enterGateway(2, onWorkers(backends), streamable),
    isLong: true,
  },
  { way: 'HTTP+SSE, one node', enter: (backends) => enterGateway(1, backends, sse) },
  { way: 'HTTP+SSE, two nodes in turn', enter: (backends) => enterGateway(2, backends, sse) },
  { way: 'WebSocket', enter: (backends) => enterGateway(1, backends, webSocket), sdks: [v1] },
  { way: 'the bus, two nodes', enter: enterByBus, isLong: true },
  {
    way: 'stdio',
    enter: async (backends, folder) => ({ address: commandFor(backends, folder), close: async () => {} }),
    isLong: true,
  },
]

/** The transport of a client to nodes that listen at these URLs. */
type AddressOf = (urls: readonly string[]) => GatewayAddress

const streamable: AddressOf = (urls) => ({ kind: 'http', urls })
const sse: AddressOf = (urls) => ({ kind: 'sse', urls: urls.map((url) => new URL('/sse', url).href) })
const webSocket: AddressOf = ([url]) => ({ kind: 'websocket', url: String(url).replace('http:', 'ws:') })

/** Two nodes are joined by NATS. */
async function enterGateway(nodes: 1 | 2, backends: object, addressOf: AddressOf): Promise<Entrance> {
  const nats = nodes === 2 ? await startNatsServer() : undefined
  // Its storage may take seconds on a busy machine, and a node that starts waits five.
  await nats?.well()
  const gateway = await startGateway({ nodes, nats: nats?.url, config: { backends } })
  return {
    address: addressOf(gateway.urls),
    async close() {
      await gateway.close()
      await nats?.stop()
    },
  }
}

function onWorkers(backends: object): object {
  return Object.fromEntries(Object.entries(backends).map(([name, entry]) => [name, { ...entry, runsOn: 'workers' }]))
}

async function enterByBus(backends: object): Promise<Entrance> {
  const nats = await startNatsServer()
  await nats.well()
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
    address: { kind: 'nats', server: nats.url, cluster },
    async close() {
      await gateway.close()
      await nats.stop()
    },
  }
}

/** The command that serves these backends on its standard input and output. */
function commandFor(backends: object, folder: string): GatewayAddress & { readonly kind: 'stdio' } {
  const file = `${folder}.json`
  writeFileSync(file, JSON.stringify({ backends }))
  return { kind: 'stdio', command: process.execPath, args: [...junctorArgs, 'serve', '--stdio', '--config', file] }
}

/**
 * Tests every feature with every official SDK and every transport. Each combination uses one gateway and one client.
 *
 * @param chosen `longest`: for a peer that differs from the others only as a backend, the ways on which messages pass the
 * most; the other peers are used in all ways
 */
export function describeFeatures(
  backends: Backends,
  features: readonly Feature[],
  chosen: 'all' | 'longest' = 'all',
): void {
  const wanted = chosen === 'all' ? ways : ways.filter(({ isLong }) => isLong === true)
  const cells = wanted.flatMap(({ sdks = [v1, v2], ...way }) => sdks.map((sdk) => ({ ...way, ...sdk })))
  describe.each(cells)('$sdk, $way', ({ enter, open }) => {
    let folder: string
    let entrance: Entrance
    let client: OfficialClient
    beforeAll(async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'junctor-peers-')))
      entrance = await enter(backends(folder), folder)
      client = await open(entrance.address)
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
