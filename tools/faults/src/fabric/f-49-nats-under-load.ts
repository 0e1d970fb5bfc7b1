import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { createRandom } from '../soak/random.ts'
import { readJobs } from '../storm/aftermath/read-jobs.ts'
import { createJobClient } from '../storm/clients/job-client.ts'
import { createQueuedClient } from '../storm/clients/queued-client.ts'
import type { ClientOptions, StormClient } from '../storm/clients/storm-client.ts'
import { createTaskClient } from '../storm/clients/task-client.ts'
import { startDeployment } from '../storm/deployment/start-deployment.ts'
import type { NatsServers } from '../storm/deployment/start-nats-servers.ts'
import type { Attempt } from '../storm/ledger/attempt.ts'
import { judgeEndings } from '../storm/ledger/judge-endings.ts'
import { judgeJobs } from '../storm/ledger/judge-jobs.ts'
import { judgeRuns } from '../storm/ledger/judge-runs.ts'
import { labelOf } from '../storm/ledger/outcome.ts'
import { driveCalls } from '../storm/load/drive-calls.ts'

const makers = [createQueuedClient, createJobClient, createTaskClient] as const

/** So many clients, of each kind as many. */
const people = 18

const seconds = 26

/** Calls that begin in a second. */
const rate = 50

/** How often the server is killed, and how long it stays away, in milliseconds. */
const kills = { times: 12, everyMs: 1_700, downMs: 300 } as const

/**
 * What was accepted is done at most once where it must not be done twice, ends once, and ends the same for all who ask,
 * whatever the only NATS server forgets when it is killed.
 */
export const natsUnderLoad: Scenario = {
  id: 'F-49',
  title: 'the only NATS server is killed again and again while answers, jobs and tasks are accepted',
  ways: ['http'],
  heavy: true,
  async run(_way, tell) {
    const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
    const random = createRandom(49)
    const canaries = Array.from({ length: people }, (_, index) => ({
      canary: `c${index + 1}-${randomBytes(4).toString('hex')}`,
      key: randomBytes(24).toString('base64url'),
    }))
    const keys = Object.fromEntries(canaries.map(({ canary, key }) => [canary, key]))
    const deployment = await startDeployment({ folder, gateways: 2, workers: 0, nats: 1, keys })
    try {
      const gateways = deployment.nodes.map(({ url }) => url)
      const urls = (): readonly string[] => (random() < 0.5 ? gateways : gateways.toReversed())
      const clients = canaries.map((person, index) => {
        const options: ClientOptions = { ...person, anywhere: { urls, nats: [] } }
        return (makers[index % makers.length] ?? createTaskClient)(options)
      })
      const attempts: Attempt[] = []
      const { signal } = new AbortController()
      await Promise.all([
        driveCalls({ clients, seconds, rate, random, stop: signal, tell: (attempt) => attempts.push(attempt) }),
        killAgainAndAgain(deployment.nats, tell),
      ])
      tell(`${attempts.length} attempts are over`)
      const readings = await readJobs(attempts, { gateways, keys })
      await Promise.all(clients.map((client) => client.close()))
      const faults = [
        ...judgeEndings(attempts, []),
        ...judgeJobs(readings),
        ...judgeRuns(attempts, countRuns(deployment.runs)),
        ...straysOf(clients),
      ]
      assert.deepEqual(faults, [])
      const ends = [...Map.groupBy(attempts, ({ outcome }) => labelOf(outcome))]
      const counts = ends.map(([label, { length }]) => `${length} ${label}`).join(', ')
      return `${attempts.length} attempts, ${kills.times} kills: ${counts}; none twice, none unanswered, ${readings.length} readings agree`
    } finally {
      await deployment.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function killAgainAndAgain(nats: NatsServers, tell: (progress: string) => void): Promise<void> {
  for (let kill = 1; kill <= kills.times; kill += 1) {
    // oxlint-disable no-await-in-loop
    await after(kills.everyMs)
    tell(`NATS is killed, ${kill} of ${kills.times}`)
    await nats.kill(0)
    await after(kills.downMs)
    await nats.restart(0)
    // oxlint-enable no-await-in-loop
  }
}

function countRuns(file: string): ReadonlyMap<string, number> {
  const ids = readFileSync(file, 'utf8').split('\n')
  const runs = Map.groupBy(
    ids.filter((id) => id !== ''),
    (id) => id,
  )
  return new Map([...runs].map(([id, lines]) => [id, lines.length]))
}

function straysOf(clients: readonly StormClient[]): readonly string[] {
  return clients.flatMap(({ canary, strays }) => strays.map((stray) => `${canary}: ${stray}`))
}
