import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { metric } from '../client/metric.ts'
import type { StormNode } from '../storm/deployment/storm-node.ts'
import type { NatsServers } from '../storm/deployment/start-nats-servers.ts'
import { createFuzzClient, type FuzzClient } from './fuzz-client.ts'
import type { FuzzOutage, FuzzSession } from './fuzz-ledger.ts'
import {
  type FuzzPlanOptions,
  type FuzzStep,
  kindOf,
  type NatsAction,
  type NodeAction,
  type PauseAction,
  planFuzz,
} from './fuzz-plan.ts'
import { judgeFuzz, mustAnswer } from './fuzz-verdict.ts'
import { readReconnects, untilReconnected } from './reconnects.ts'
import { type FuzzNodes, startFuzzNodes, tenantUrl } from './start-fuzz-nodes.ts'

interface FuzzOptions extends FuzzPlanOptions {
  readonly stop: AbortSignal
  /** Called with each event, as a line of text. */
  readonly onProgress: (line: string) => void
}

interface FuzzReport {
  /** The broken promises, as texts. */
  readonly faults: readonly string[]
  readonly sessions: number
  /** The number of answered calls, by the kinds of client and call. */
  readonly answered: Readonly<Record<string, number>>
  readonly outages: readonly FuzzOutage[]
  /** The folder with configurations and logs; undefined when all promises were kept. */
  readonly folder: string | undefined
}

/** Longer than nodes need to notice that another one was killed, and to run its work again. In milliseconds. */
const answerMs = 60_000
/** The time in which no more messages may arrive, in milliseconds. */
const quietMs = 500
const betweenMs = 100

/** Runs a plan against real processes, waits for everything that was promised, and judges the result. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { stop, onProgress } = options
  const folder = mkdtempSync(join(tmpdir(), 'junctor-fuzz-'))
  const keys = Array.from({ length: options.clients }, () => randomBytes(24).toString('base64url'))
  const deployment = await startFuzzNodes({ folder, nodes: options.nodes, servers: options.servers, keys })
  const { nodes } = deployment
  let isKept = false
  try {
    const clients = keys.map((key, client) => {
      const urls = nodes.map((node) => tenantUrl(node, kindOf(client)))
      return createFuzzClient({ client, urls, key, nats: deployment.nats.urls })
    })
    const outages = await runSteps(planFuzz(options), { ...deployment, clients, stop, onProgress })
    for (const outage of outages) onProgress(lineOf(outage))
    const deadline = performance.now() + answerMs
    for (const client of clients) client.listenToAll()
    await Promise.all([
      untilAnswered(clients, outages, nodes.length, deadline),
      ...clients.map((each) => each.readJobs(deadline)),
    ])
    await after(quietMs)
    await Promise.all(clients.map((client) => client.close()))
    const unknown = clients.reduce((sum, client) => sum + client.lostOpenings(), 0)
    const left = (await Promise.all(nodes.map((node) => whatIsLeft(node, unknown)))).flat()
    const sessions = clients.flatMap((client) => client.sessions)
    await writeNatsState(folder, deployment.nats)
    const codes = await Promise.all(nodes.map((node) => node.stop()))
    const crashes = nodes.flatMap((node) => node.crashes)
    const faults = judgeFuzz({ sessions, outages, crashes, left, codes })
    isKept = faults.length === 0
    const answered = countAnswered(sessions)
    onProgress(`${sessions.length} sessions, ${outages.length} outages, answered: ${JSON.stringify(answered)}`)
    return { faults, sessions: sessions.length, answered, outages, folder: isKept ? undefined : folder }
  } finally {
    await deployment.close()
    if (isKept) rmSync(folder, { recursive: true, force: true })
  }
}

interface FuzzScene extends Pick<FuzzOptions, 'stop' | 'onProgress'>, Pick<FuzzNodes, 'nodes' | 'nats' | 'reload'> {
  readonly clients: readonly FuzzClient[]
}

/** Starts each step at its time, and resolves when all are over. Only one node, or NATS server, is away at a time. */
async function runSteps(steps: readonly FuzzStep[], scene: FuzzScene): Promise<readonly FuzzOutage[]> {
  const { clients, stop, onProgress } = scene
  const began = performance.now()
  const open: Promise<void>[] = []
  const outages: FuzzOutage[] = []
  let isAway = false
  const strike = async (step: FuzzStep & (NodeAction | PauseAction | NatsAction)): Promise<void> => {
    if (isAway) return
    isAway = true
    const what = step.kind === 'nats' ? `kill NATS server ${step.server}` : `${step.kind} node ${step.node}`
    onProgress(`${(step.at / 1_000).toFixed(1).padStart(6)} s  ${what}`)
    outages.push(await strikeWith(step, scene))
    isAway = false
  }
  for (const step of steps) {
    const waitMs = began + step.at - performance.now()
    // oxlint-disable-next-line no-await-in-loop
    if (waitMs > 0) await after(waitMs, undefined, { signal: stop }).catch(() => {})
    if (stop.aborted) break
    if (step.kind === 'reload') scene.reload()
    else open.push('client' in step ? (clients[step.client] as FuzzClient).act(step) : strike(step))
  }
  await Promise.all(open)
  return outages
}

function strikeWith(step: NodeAction | PauseAction | NatsAction, scene: FuzzScene): Promise<FuzzOutage> {
  if (step.kind === 'nats') return killNats(scene, step)
  const node = scene.nodes[step.node] as StormNode
  return step.kind === 'pause' ? pause(node, step) : endAndStart(node, step)
}

async function pause(node: StormNode, { node: index, kind: how, ms }: PauseAction): Promise<FuzzOutage> {
  const began = performance.now()
  node.pause()
  await after(ms)
  node.resume()
  return { node: index, how, began, ended: performance.now() }
}

async function endAndStart(node: StormNode, { node: index, kind: how }: NodeAction): Promise<FuzzOutage> {
  const began = performance.now()
  const code = how === 'kill' ? await node.kill().then(() => null) : await node.stop()
  await node.start()
  return { node: index, how, began, ended: performance.now(), code }
}

/** Nodes notice at different times that the only server is back: the outage ends when all have reconnected. */
async function killNats(
  { nats, nodes }: Pick<FuzzScene, 'nats' | 'nodes'>,
  { server, kind: how, ms }: NatsAction,
): Promise<FuzzOutage> {
  const isOneOfMany = nats.urls.length > 1
  const before = await readReconnects(nodes)
  const began = performance.now()
  await nats.kill(server)
  await after(ms)
  await nats.restart(server)
  const stayedAway = isOneOfMany ? [] : await untilReconnected(nodes, before)
  return { server, how, isOneOfMany, stayedAway, began, ended: performance.now() }
}

/** Writes the state of streams and consumers to a file, for the analysis of a stuck operation. */
async function writeNatsState(folder: string, nats: NatsServers): Promise<void> {
  const states = nats
    .monitors()
    .map(async (monitor) => (await fetch(`${monitor}/jsz?consumers=true&config=true`)).json())
  writeFileSync(join(folder, 'nats.json'), JSON.stringify(await Promise.all(states), undefined, 1))
}

function lineOf(outage: FuzzOutage): string {
  const what = outage.how === 'nats' ? `NATS server ${outage.server}` : `node ${outage.node}`
  return `${what} was away from ${Math.round(outage.began)} to ${Math.round(outage.ended)} ms: ${outage.how}`
}

function countAnswered(sessions: readonly FuzzSession[]): Readonly<Record<string, number>> {
  const kinds = sessions.flatMap(({ kind: client, calls }) =>
    calls
      .filter(({ answers, end }) => answers.length > 0 || end !== undefined)
      .map(({ kind, replyAt, steps }) => {
        if (steps !== undefined) return `${client} resumed`
        return `${client} ${kind}${replyAt === undefined ? '' : ' with a question'}`
      }),
  )
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]) => [kind, length]))
}

async function untilAnswered(
  clients: readonly FuzzClient[],
  outages: readonly FuzzOutage[],
  nodes: number,
  deadline: number,
): Promise<void> {
  const isMissing = (): boolean =>
    clients.some(({ sessions }) =>
      sessions.some((session) =>
        session.calls.some((call) => call.answers.length === 0 && mustAnswer(session, call, outages, nodes)),
      ),
    )
  // oxlint-disable-next-line no-await-in-loop
  while (isMissing() && performance.now() < deadline) await after(betweenMs)
}

/** What a node still holds although its clients have gone; waits for a while until it has released everything. */
async function whatIsLeft(node: StormNode, unknown: number): Promise<readonly string[]> {
  const deadline = performance.now() + answerMs / 2
  const most = {
    mcp_sessions_active: unknown,
    mcp_streams_active: unknown,
    mcp_inflight_requests: 0,
    mcp_queue_depth: 0,
    junctor_internal_errors_total: 0,
  }
  for (;;) {
    // oxlint-disable no-await-in-loop
    const left: string[] = []
    for (const [name, value] of Object.entries(most)) {
      const now = await metric(node.admin, name).catch(() => Infinity)
      if (now > value) left.push(`${node.name}: ${name} is ${now}, expected at most ${value}`)
    }
    if (left.length === 0 || performance.now() > deadline) return left
    await after(betweenMs)
    // oxlint-enable no-await-in-loop
  }
}
