import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../soak/random.ts'
import { readJobs } from '../storm/aftermath/read-jobs.ts'
import type { ClientOptions, StormClient } from '../storm/clients/storm-client.ts'
import { type Deployment, startDeployment } from '../storm/deployment/start-deployment.ts'
import type { Attempt } from '../storm/ledger/attempt.ts'
import type { JobReading } from '../storm/ledger/judge-jobs.ts'
import { labelOf } from '../storm/ledger/outcome.ts'
import { driveCalls } from '../storm/load/drive-calls.ts'

/** The deployment, and the calls that it gets. Calls begin at this rate whether or not earlier ones are answered. */
export interface LoadOptions {
  /** The functions that make the clients, in turn. */
  readonly makers: readonly ((options: ClientOptions) => StormClient)[]
  readonly people: number
  readonly seconds: number
  /** How many calls begin each second. */
  readonly rate: number
  readonly gateways: number
  readonly workers: number
}

/** The observations under a load. */
export interface Seen {
  readonly attempts: readonly Attempt[]
  readonly readings: readonly JobReading[]
  /** How often each attempt ran, by its id, for the tools that record it. */
  readonly runs: ReadonlyMap<string, number>
  /** Messages that a client received twice, or that belong to another one. */
  readonly strays: readonly string[]
}

/** Long enough that no session expires because its answers are late. */
const idleMs = 300_000

/** Calls tools on gateways, workers and one NATS server, all real processes, while `harm` runs. */
export async function underLoad(
  options: LoadOptions,
  harm: (deployment: Deployment) => Promise<void>,
  onProgress: (progress: string) => void,
): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
  const random = createRandom(49)
  const canaries = Array.from({ length: options.people }, (_, index) => ({
    canary: `c${index + 1}-${randomBytes(4).toString('hex')}`,
    key: randomBytes(24).toString('base64url'),
  }))
  const keys = Object.fromEntries(canaries.map(({ canary, key }) => [canary, key]))
  const { gateways: count, workers, makers } = options
  const deployment = await startDeployment({ folder, gateways: count, workers, nats: 1, keys, idleMs })
  try {
    const gateways = deployment.nodes.filter(({ role }) => role === 'gateway').map(({ url }) => url)
    const urls = (): readonly string[] => (random() < 0.5 ? gateways : gateways.toReversed())
    const clients = canaries.flatMap((person, index) => {
      const maker = makers[index % makers.length]
      return maker === undefined ? [] : [maker({ ...person, anywhere: { urls, nats: [] } })]
    })
    const attempts: Attempt[] = []
    const { signal } = new AbortController()
    await Promise.all([
      driveCalls({ ...options, clients, random, stop: signal, onProgress: (attempt) => attempts.push(attempt) }),
      harm(deployment),
    ])
    onProgress(`${attempts.length} attempts are over`)
    const readings = await readJobs(attempts, { gateways, keys })
    await Promise.all(clients.map((client) => client.close()))
    const strays = clients.flatMap((client) => client.strays.map((stray) => `${client.canary}: ${stray}`))
    return { attempts, readings, runs: countRuns(deployment.runs), strays }
  } finally {
    await deployment.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How often the attempts ended in each way, as text. */
export function endsOf(attempts: readonly Attempt[]): string {
  const ends = [...Map.groupBy(attempts, ({ outcome }) => labelOf(outcome))]
  return ends.map(([label, { length }]) => `${length} ${label}`).join(', ')
}

function countRuns(file: string): ReadonlyMap<string, number> {
  const ids = readFileSync(file, 'utf8').split('\n')
  const runs = Map.groupBy(
    ids.filter((id) => id !== ''),
    (id) => id,
  )
  return new Map([...runs].map(([id, lines]) => [id, lines.length]))
}
