import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../soak/random.ts'
import { lookAtNats, stopNodes } from './aftermath/look-after.ts'
import { readNatsState } from './aftermath/nats-state.ts'
import { lookAtWaits } from './aftermath/look-at-waits.ts'
import { readJobs } from './aftermath/read-jobs.ts'
import { planChaos } from './chaos/plan-chaos.ts'
import { type Outage, strikeAll } from './chaos/strike.ts'
import { createClients } from './clients/create-clients.ts'
import type { StormClient } from './clients/storm-client.ts'
import { type Deployment, startDeployment } from './deployment/start-deployment.ts'
import type { Attempt, ClientKind } from './ledger/attempt.ts'
import { judgeStorm, type PromiseVerdict } from './ledger/judge-storm.ts'
import { driveCalls } from './load/drive-calls.ts'

interface StormOptions {
  readonly seconds: number
  /** How many calls begin each second. */
  readonly rate: number
  readonly clients: number
  readonly seed: number
  readonly gateways: number
  readonly workers: number
  readonly nats: number
  /** Default: all kinds in turn. */
  readonly kind?: ClientKind | undefined
  /** No process is killed. */
  readonly calm?: boolean | undefined
  /** Nodes are shut down, one after the other, and no call may fail. NATS is not touched. */
  readonly rolling?: boolean | undefined
  /** Does not wait until NATS has removed expired data, which takes two minutes. */
  readonly isQuick?: boolean | undefined
  readonly stop: AbortSignal
  /** Called with each event, as a line of text. */
  readonly onProgress: (line: string) => void
}

/** What happened in a storm. It was passed if every promise was kept. */
export interface StormReport {
  readonly calls: number
  readonly attempts: readonly Attempt[]
  readonly outages: readonly Outage[]
  /** The promises, and whether they were kept. Empty when the storm was stopped before that was known. */
  readonly verdicts: readonly PromiseVerdict[]
  /** The folder with configurations and logs; undefined when all promises were kept. */
  readonly folder: string | undefined
}

/**
 * Loads a deployment with clients of all kinds while its processes are killed and restarted; then judges the result.
 */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const { seed, stop, onProgress } = options
  const folder = mkdtempSync(join(tmpdir(), 'junctor-storm-'))
  const random = createRandom(seed)
  const people = Array.from({ length: options.clients }, (_, index) => ({
    canary: `c${index + 1}-${randomBytes(4).toString('hex')}`,
    key: randomBytes(24).toString('base64url'),
  }))
  const keys = Object.fromEntries(people.map(({ canary, key }) => [canary, key]))
  const { gateways, workers, nats } = options
  const deployment = await startDeployment({ folder, gateways, workers, nats, keys })
  const attempts: Attempt[] = []
  let isKept = false
  try {
    const anywhere = { urls: () => shuffled(gatewayUrls(deployment), random), nats: deployment.nats.urls }
    const clients = createClients(
      people.map((person) => ({ ...person, anywhere })),
      options.kind,
    )
    const isRolling = options.rolling === true
    const counts = { gateway: gateways, worker: workers, nats: isRolling ? 0 : nats }
    const strikes = options.calm === true ? [] : planChaos({ ...options, counts, random: createRandom(seed + 1) })
    const before = await readNatsState(deployment.nats.monitors())
    const began = performance.now()
    const say = (line: string): void =>
      onProgress(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`)
    const [calls, outages] = await Promise.all([
      driveCalls({ ...options, clients, random, stop, onProgress: (attempt) => attempts.push(attempt) }),
      strikeAll(deployment, strikes, isRolling ? 'ask' : 'kill', stop, ({ role, index }) =>
        say(`${role} ${index + 1} is ${isRolling ? 'asked to end' : 'killed'}`),
      ),
    ])
    say(`${calls} calls are over`)
    await Promise.all(clients.map((client) => client.close()))
    // A user who stops the storm needs no verdict; on a terminal NATS has received the signal, too.
    if (stop.aborted) return { calls, attempts, outages, verdicts: [], folder }
    const readings = await readJobs(attempts, { gateways: gatewayUrls(deployment), keys })
    say('jobs are read')
    const { waits, running } = await lookAtWaits(deployment, folder)
    const inNats = await lookAtNats(deployment, before, attempts, options)
    say('NATS is looked at')
    const runs = countRuns(deployment)
    const strays = straysOf(clients)
    const answers = new Map(clients.flatMap((client) => [...(client.answers ?? [])]))
    const verdicts = [
      ...judgeStorm({ attempts, outages, readings, runs, waits, running, strays, answers, isRolling }),
      { promise: 'NATS holds nothing that it did not hold before', faults: inNats },
      { promise: 'all processes ended when they were asked to', faults: await stopNodes(deployment, folder) },
    ]
    isKept = verdicts.every(({ faults }) => faults.length === 0)
    return { calls, attempts, outages, verdicts, folder: isKept ? undefined : folder }
  } finally {
    await deployment.close()
    if (isKept) rmSync(folder, { recursive: true, force: true })
  }
}

function gatewayUrls({ nodes }: Deployment): readonly string[] {
  return nodes.filter(({ role }) => role === 'gateway').map(({ url }) => url)
}

function straysOf(clients: readonly StormClient[]): readonly string[] {
  return clients.flatMap(({ canary, strays }) => strays.map((stray) => `${canary}: ${stray}`))
}

/** How often each call was run, for the tools that record it. */
function countRuns({ runs }: Deployment): ReadonlyMap<string, number> {
  const ids = readFileSync(runs, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return new Map([...Map.groupBy(ids, (id) => id)].map(([id, lines]) => [id, lines.length]))
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
