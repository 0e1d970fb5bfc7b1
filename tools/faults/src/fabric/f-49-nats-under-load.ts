import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { createJobClient } from '../storm/clients/job-client.ts'
import { createQueuedClient } from '../storm/clients/queued-client.ts'
import { createTaskClient } from '../storm/clients/task-client.ts'
import type { NatsServers } from '../storm/deployment/start-nats-servers.ts'
import { judgeEndings } from '../storm/ledger/judge-endings.ts'
import { judgeJobs } from '../storm/ledger/judge-jobs.ts'
import { judgeRuns } from '../storm/ledger/judge-runs.ts'
import { endsOf, type LoadOptions, underLoad } from './under-load.ts'

const load: LoadOptions = {
  makers: [createQueuedClient, createJobClient, createTaskClient],
  people: 18,
  seconds: 26,
  rate: 50,
  gateways: 2,
  workers: 0,
}

/** How often the server is killed, how long it runs in between, and how long it stays away, in milliseconds. */
const kills = { times: 12, everyMs: 1_700, downMs: 300 } as const

/**
 * Accepted work is done at most once where it must not be done twice, ends once, and has the same result for every
 * reader, even when the only NATS server loses data because it is killed.
 */
export const natsUnderLoad: Scenario = {
  id: 'F-49',
  title: 'the only NATS server is killed again and again while answers, jobs and tasks are accepted',
  ways: ['http'],
  heavy: true,
  async run(_way, onProgress) {
    const { attempts, readings, runs, strays } = await underLoad(
      load,
      ({ nats }) => killAgainAndAgain(nats, onProgress),
      onProgress,
    )
    const faults = [...judgeEndings(attempts, []), ...judgeJobs(readings), ...judgeRuns(attempts, runs), ...strays]
    assert.deepEqual(faults, [])
    return `${attempts.length} attempts, ${kills.times} kills: ${endsOf(attempts)}; none twice, none unanswered, ${readings.length} readings agree`
  },
}

async function killAgainAndAgain(nats: NatsServers, onProgress: (progress: string) => void): Promise<void> {
  for (let kill = 1; kill <= kills.times; kill += 1) {
    // oxlint-disable no-await-in-loop
    await after(kills.everyMs)
    onProgress(`NATS is killed, ${kill} of ${kills.times}`)
    await nats.kill(0)
    await after(kills.downMs)
    await nats.restart(0)
    // oxlint-enable no-await-in-loop
  }
}
