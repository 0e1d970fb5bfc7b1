import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@junctor/jsonrpc'
import { compiledOnce, type NatsServer, type NatsServerOptions, startNatsServer } from '@junctor/testkit'
import { type GatewayProcess, startGatewayProcess } from '../client/gateway-process.ts'
import { metric } from '../client/metric.ts'
import { openSession } from '../client/peer/create-peer.ts'
import { createHttpPeer, type HttpPeer } from '../client/peer/http-peer.ts'

const program = fileURLToPath(new URL('servers/counting-server.ts', import.meta.url))

/** The name of the cluster of a scene's gateways. */
export const cluster = 'faults'

/** The secret that only these gateways know. */
export const clusterKey = 'a secret that the nodes of this cluster share'

/** Gateways that form one system on a nats-server, each with its own backend, which counts its runs. */
export interface FabricScene {
  readonly server: NatsServer
  readonly gateways: readonly GatewayProcess[]
  /** Starts one more gateway, which ends with the scene. */
  readonly start: () => Promise<GatewayProcess>
  /** A client with a session whose home is a gateway. */
  readonly connect: (gateway?: GatewayProcess) => Promise<HttpPeer>
  /** A client of a gateway without a session, or with one that was opened at another gateway. */
  readonly visit: (gateway: GatewayProcess, session?: string) => HttpPeer
  /** How often a tool ran with this argument. */
  readonly runs: (nonce: string) => number
}

interface FabricSceneOptions {
  /** Default: 2. */
  readonly gateways?: number
  readonly server?: NatsServerOptions
  /** Further members of every gateway's configuration. */
  readonly config?: JsonObject
  /** The address of NATS in the configuration of each gateway, by its number. Default: the real address. */
  readonly address?: (server: NatsServer, gateway: number) => Promise<string> | string
}

/** Runs gateways on a real nats-server while `body` runs, and leaves nothing behind. */
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
  const backends = {
    work: { command: process.execPath, args: [program, file], env: compiledOnce, isolation: 'shared' },
  }

  const start = async (): Promise<GatewayProcess> => {
    const nats = { servers: [await address(server, gateways.length)], cluster, key: clusterKey }
    const gateway = await startGatewayProcess({ config: { fabric: { nats }, backends, ...config } })
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
    // A stopped gateway must not prevent the others from being ended.
    for (const { child } of gateways) child.kill('SIGCONT')
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An answer to a call, and its duration. */
export interface AnswerSummary {
  readonly text: string
  /** `data.reason` of an error. */
  readonly reason: string | undefined
  readonly retryable: boolean
  readonly result: JsonObject | undefined
  readonly ms: number
}

/** Sends a request, and returns its outcome. */
export async function ask(peer: HttpPeer, method: string, params: JsonObject): Promise<AnswerSummary> {
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
export function call(peer: HttpPeer, tool: 'adds' | 'sets', nonce: string, ms = 0): Promise<AnswerSummary> {
  return ask(peer, 'tools/call', { name: `work__${tool}`, arguments: { nonce, ms } })
}

/** Calls a tool as a task: the answer contains the task. */
export async function submit(
  peer: HttpPeer,
  tool: 'adds' | 'sets',
  nonce: string,
  ms = 0,
): Promise<AnswerSummary & { id: string }> {
  const answer = await ask(peer, 'tools/call', {
    name: `work__${tool}`,
    arguments: { nonce, ms },
    task: { ttl: 600_000 },
  })
  const task = answer.result?.['task'] as { taskId: string } | undefined
  return { ...answer, id: task?.taskId ?? '' }
}

/** Whether a gateway reports that it is ready, and if not, why. */
export async function readiness({ admin }: GatewayProcess): Promise<string> {
  const answer = await fetch(`${admin}/readyz`, { headers: { connection: 'close' } })
  const { reason = 'ready' } = (await answer.json()) as { reason?: string }
  if (answer.ok !== (reason === 'ready')) throw new Error(`Expected a status that says the same as ${reason}`)
  return reason
}

/**
 * Whether `/livez` succeeds. It must, also while the gateway is not ready: otherwise an orchestrator would restart it.
 */
export async function isAlive({ admin }: GatewayProcess): Promise<boolean> {
  return (await fetch(`${admin}/livez`, { headers: { connection: 'close' } })).ok
}

/** A metric of a gateway's fabric. */
export function fabricMetric({ admin }: GatewayProcess, name: string): Promise<number> {
  return metric(admin, `junctor_fabric_${name}`)
}
