import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { createJobClient } from '../storm/clients/job-client.ts'
import { createTaskClient } from '../storm/clients/task-client.ts'
import type { StormNode } from '../storm/deployment/storm-node.ts'
import { type Attempt, isRepeatable } from '../storm/ledger/attempt.ts'
import { grouped } from '../storm/ledger/grouped.ts'
import { describe, judgeEndings } from '../storm/ledger/judge-endings.ts'
import { judgeJobs } from '../storm/ledger/judge-jobs.ts'
import { judgeRuns } from '../storm/ledger/judge-runs.ts'
import { endsOf, type LoadOptions, underLoad } from './under-load.ts'

const load: LoadOptions = {
  makers: [createJobClient, createTaskClient],
  people: 12,
  seconds: 36,
  rate: 13,
  gateways: 3,
  workers: 2,
}

/**
 * Nodes are killed one after the other: how long all of them run in between, and how long one stays away, in
 * milliseconds.
 */
const kills = { everyMs: 3_000, downMs: 1_000 } as const

/**
 * Jobs are accepted while nodes are lost: the nodes that run them, the homes of their sessions, and the workers. Other
 * nodes finish them; those that may have run and must not run twice fail with `outcome_unknown`.
 */
export const nodesUnderLoad: Scenario = {
  id: 'F-50',
  title: 'gateways and workers are killed in turn while jobs and tasks are accepted',
  ways: ['http'],
  heavy: true,
  async run(_way, onProgress) {
    let times = 0
    const { attempts, readings, runs, strays } = await underLoad(
      load,
      async ({ nodes }) => {
        times = await killInTurn(nodes, onProgress)
      },
      onProgress,
    )
    const accepted = attempts.filter(({ job }) => job !== undefined)
    const faults = [
      ...judgeEndings(accepted, []),
      ...judgeJobs(readings),
      ...judgeRuns(attempts, runs),
      ...strays,
      ...grouped('failed though another node could run them', accepted.filter(isLost), describe),
    ]
    assert.deepEqual(faults, [])
    const unsure = accepted.filter(({ outcome }) => outcome.kind === 'error')
    const unrun = unsure.filter(({ id }) => !runs.has(id))
    return `${accepted.length} accepted, ${times} kills: ${endsOf(accepted)}; of ${unsure.length} of unknown outcome ${unrun.length} had not run`
  },
}

/** Whether a job has failed for another reason than that it may have run, or that its outcome is unknown. */
function isLost({ tool, outcome }: Attempt): boolean {
  if (outcome.kind === 'result') return false
  return isRepeatable(tool) || outcome.kind !== 'error' || outcome.reason !== 'outcome_unknown'
}

/** Kills a gateway and a worker in turn, never two of a role at the same time. */
async function killInTurn(nodes: readonly StormNode[], onProgress: (progress: string) => void): Promise<number> {
  const end = performance.now() + load.seconds * 1_000
  const roles = ['gateway', 'worker'] as const
  const starting = new Map<StormNode['role'], Promise<void>>()
  const killed = { gateway: 0, worker: 0 }
  for (let turn = 0; performance.now() < end - kills.everyMs; turn += 1) {
    const role = roles[turn % roles.length] ?? 'gateway'
    const own = nodes.filter((node) => node.role === role)
    const node = own[killed[role] % own.length]
    // oxlint-disable no-await-in-loop
    await Promise.all([after(kills.everyMs), starting.get(role)])
    onProgress(`${node?.name} is killed`)
    await node?.kill()
    // oxlint-enable no-await-in-loop
    starting.set(
      role,
      after(kills.downMs).then(() => node?.start()),
    )
    killed[role] += 1
  }
  await Promise.all(starting.values())
  return killed.gateway + killed.worker
}
