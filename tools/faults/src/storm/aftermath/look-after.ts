import { setTimeout as after } from 'node:timers/promises'
import { subjectsOf } from '@junctor/nats'
import { listProcessesNaming } from '@junctor/testkit'
import type { Deployment } from '../deployment/start-deployment.ts'
import type { Attempt } from '../ledger/attempt.ts'
import { judgeNats } from './judge-nats.ts'
import { type NatsState, readNatsState } from './nats-state.ts'

/** The longest time that NATS keeps expired data, plus a reserve, in milliseconds. */
const forgetMs = 180_000
/** Guards end processes whose parent has gone. */
const endMs = 10_000
const betweenMs = 500

const names = subjectsOf('junctor')
const jobs = `KV_${names.bucket('jobs')}`
/** The bucket that records ended calls with answers on a stream. */
const passing = `KV_${names.bucket('passing')}`
/** The stream with one small record for each start of a gateway, which stays for a day. */
const lanes = names.stream('lanes', 'jobs')
/** The streams in which data of killed nodes stay until they expire. */
const expiring: ReadonlySet<string> = new Set([
  `KV_${names.bucket('sessions')}`,
  `KV_${names.bucket('health')}`,
  names.stream('loans', 'jobs'),
])

/** What NATS holds after all clients have gone, while the nodes still run; waits until that is nothing. */
export async function lookAtNats(
  { nats }: Pick<Deployment, 'nats'>,
  before: NatsState,
  attempts: readonly Attempt[],
  { stop, isQuick }: { readonly stop: AbortSignal; readonly isQuick?: boolean | undefined },
): Promise<readonly string[]> {
  const kept = (stream: string): number | undefined => {
    if (stream === jobs) return attempts.filter(({ kind }) => kind === 'job' || kind === 'task').length
    if (stream === lanes) return Infinity
    if (stream === passing) return attempts.filter(({ kind }) => kind === 'queued').length
    return isQuick === true && expiring.has(stream) ? Infinity : undefined
  }
  const deadline = performance.now() + forgetMs
  for (;;) {
    // oxlint-disable no-await-in-loop
    const faults = judgeNats(before, await readNatsState(nats.monitors()), kept)
    if (faults.length === 0 || performance.now() > deadline || stop.aborted) return faults
    await after(betweenMs)
    // oxlint-enable no-await-in-loop
  }
}

/** Shuts down all nodes. Returns the faults as texts: wrong exits, and what is left. */
export async function stopNodes({ nodes, nats }: Deployment, folder: string): Promise<readonly string[]> {
  const codes = await Promise.all(nodes.map(async (node) => [node.name, await node.stop()] as const))
  const faults = codes.flatMap(([name, code]) =>
    code === 0 ? [] : [`${name} ended with ${code ?? 'SIGKILL'}, expected 0`],
  )
  const deadline = performance.now() + endMs
  for (;;) {
    // oxlint-disable no-await-in-loop
    const { connections } = await readNatsState(nats.monitors())
    const left = [
      ...listProcessesNaming(folder).map(({ pid, command }) => `process ${pid} is left: ${command.slice(0, 200)}`),
      ...(connections > 0 ? [`${connections} connections to NATS are left`] : []),
    ]
    if (left.length === 0 || performance.now() > deadline) return [...faults, ...left]
    await after(betweenMs)
    // oxlint-enable no-await-in-loop
  }
}
