import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@junctor/jsonrpc'
import { type NatsServer, type NatsServerOptions, startNatsServer } from '@junctor/testkit'
import { type GatewayProcess, startGatewayProcess } from '../client/gateway-process.ts'
import { metric } from '../client/metric.ts'
import { openSession } from '../client/peer/create-peer.ts'
import { createHttpPeer, type HttpPeer } from '../client/peer/http-peer.ts'

const program = fileURLToPath(new URL('servers/counting-server.ts', import.meta.url))

/** What the gateways of a scene are called together. */
export const cluster = 'faults'

/** What they share, and nobody else knows. */
export const clusterKey = 'a secret that the nodes of this cluster share'

/** Gateways that are one system on a nats-server, each with a backend of its own that counts what it runs. */
export interface FabricScene {
  readonly server: NatsServer
  readonly gateways: readonly GatewayProcess[]
  /** One more gateway, which ends with the scene. */
  readonly start: (more?: JsonObject) => Promise<GatewayProcess>
  /** A client with a session that is at home on a gateway. */
  readonly connect: (gateway?: GatewayProcess) => Promise<HttpPeer>
  /** A client of a gateway without a session, or with one that was opened elsewhere. */
  readonly visit: (gateway: GatewayProcess, session?: string) => HttpPeer
  /** How often a tool ran that was given this. */
  readonly runs: (nonce: string) => number
}

export interface FabricSceneOptions {
  /** Default: 2. */
  readonly gateways?: number
  readonly server?: NatsServerOptions
  /** Further words of every gateway's configuration. */
  readonly config?: JsonObject
  /** What the gateways are told of where NATS is, by their number. Default: where it is. */
  readonly address?: (server: NatsServer, gateway: number) => Promise<string> | string
}

/** Runs gateways on a real nats-server for as long as the body takes, and leaves nothing behind. */
export async function withFabric<Result>(
  { gateways: count = 2, server: serverOptions, config = {}, address = ({ url }) => url }: FabricSceneOptions,
  body: (scene: FabricScene) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
  const file = join(folder, 'runs')
  writeFileSync(file, '')
  const server = await startNatsServer(serverOptions)
  const gateways: GatewayProcess[] = []
  const peers: HttpPeer[] = []
  const backends = { work: { command: process.execPath, args: [program, file], isolation: 'shared' } }

  const start = async (more: JsonObject = {}): Promise<GatewayProcess> => {
    const nats = { servers: [await address(server, gateways.length)], cluster, key: clusterKey }
    const gateway = await startGatewayProcess({ config: { fabric: { nats }, backends, ...config, ...more } })
    gateways.push(gateway)
    return gateway
  }
  const visit = ({ url }: GatewayProcess, session?: string): HttpPeer => {
    const peer = createHttpPeer(url, session === undefined ? {} : { 'mcp-session-id': session })
    peers.push(peer)
    return peer
  }
  try {
    for (let started = 0; started < count; started += 1) {
      // One after the other: the machine has few processors.
      // oxlint-disable-next-line no-await-in-loop
      await start()
    }
    return await body({
      server,
      gateways,
      start,
      visit,
      async connect(gateway = gateways[0]) {
        if (gateway === undefined) throw new Error('Expected a gateway')
        const peer = visit(gateway)
        await openSession(peer)
        return peer
      },
      runs: (nonce) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line === nonce).length,
    })
  } finally {
    await Promise.all(peers.map((peer) => peer.close()))
    // Those that hang must not keep the others from being ended.
    for (const { child } of gateways) child.kill('SIGCONT')
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An answer to a call, and how long it took. */
export interface Answer {
  readonly text: string
  /** `data.reason` of an error. */
  readonly reason: string | undefined
  readonly retryable: boolean
  readonly result: JsonObject | undefined
  readonly ms: number
}

/** Asks for something, and sees what comes of it. */
export async function ask(peer: HttpPeer, method: string, params: JsonObject): Promise<Answer> {
  const began = performance.now()
  const answer = await peer.request(method, params)
  const ms = performance.now() - began
  const result = answer['result'] as (JsonObject & { content?: readonly { text?: string }[] }) | undefined
  const error = answer['error'] as { message: string; data?: { reason?: string; retryable?: boolean } } | undefined
  return {
    text: result?.content?.map(({ text = '' }) => text).join('') ?? '',
    reason: error && (error.data?.reason ?? error.message),
    retryable: error?.data?.retryable === true,
    result,
    ms,
  }
}

/** Calls a tool of the backend. */
export function call(peer: HttpPeer, tool: 'adds' | 'sets', nonce: string, ms = 0): Promise<Answer> {
  return ask(peer, 'tools/call', { name: `work__${tool}`, arguments: { nonce, ms } })
}

/** The same as a task: the answer is where it is. */
export async function submit(
  peer: HttpPeer,
  tool: 'adds' | 'sets',
  nonce: string,
  ms = 0,
): Promise<Answer & { id: string }> {
  const answer = await ask(peer, 'tools/call', {
    name: `work__${tool}`,
    arguments: { nonce, ms },
    task: { ttl: 600_000 },
  })
  const task = answer.result?.['task'] as { taskId: string } | undefined
  return { ...answer, id: task?.taskId ?? '' }
}

/** Whether a gateway says that it is ready, and if not, why. */
export async function readiness({ admin }: GatewayProcess): Promise<string> {
  const answer = await fetch(`${admin}/readyz`, { headers: { connection: 'close' } })
  const { reason = 'ready' } = (await answer.json()) as { reason?: string }
  if (answer.ok !== (reason === 'ready')) throw new Error(`Expected a status that says the same as ${reason}`)
  return reason
}

export async function isAlive({ admin }: GatewayProcess): Promise<boolean> {
  return (await fetch(`${admin}/livez`, { headers: { connection: 'close' } })).ok
}

/** What a gateway counts of its fabric. */
export function fabricMetric({ admin }: GatewayProcess, name: string): Promise<number> {
  return metric(admin, `junctor_fabric_${name}`)
}
