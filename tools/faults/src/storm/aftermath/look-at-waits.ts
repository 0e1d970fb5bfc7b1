import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { listProcessesNaming } from '@junctor/testkit'
import type { Deployment } from '../deployment/start-deployment.ts'
import { stillWaiting } from '../ledger/judge-aborts.ts'
import { readWaits, type Wait } from '../ledger/wait.ts'

/** Longer than the deadline of a call, at which tools are cancelled too. */
const timeoutMs = 15_000
const betweenMs = 200

/** The calls of tools that wait for a cancel, and the processes that still run, after no call is left or a timeout. */
export async function lookAtWaits(
  { waits: file }: Pick<Deployment, 'waits'>,
  folder: string,
): Promise<{ readonly waits: readonly Wait[]; readonly running: ReadonlySet<number> }> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const running = new Set(listProcessesNaming(folder).map(({ pid }) => pid))
    const waits = readWaits(readFileSync(file, 'utf8'))
    if (stillWaiting(waits, running).length === 0 || performance.now() > deadline) return { waits, running }
    // oxlint-disable-next-line no-await-in-loop
    await after(betweenMs)
  }
}
