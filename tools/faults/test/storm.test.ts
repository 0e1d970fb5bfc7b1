import { untilNoDescendants } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { clientKinds } from '../src/storm/ledger/attempt.ts'
import { runStorm } from '../src/storm/run-storm.ts'

/** It starts processes one after the other, and the calls have long timeouts. */
const timeoutMs = 180_000

it(
  'a small storm leaves nothing behind',
  async () => {
    const report = await runStorm({
      seconds: 16,
      rate: 10,
      clients: 18,
      seed: 1,
      gateways: 2,
      workers: 2,
      nats: 1,
      isQuick: true,
      stop: new AbortController().signal,
      onProgress: () => {},
    })
    expect(report.verdicts.filter(({ faults }) => faults.length > 0)).toEqual([])
    expect(report.verdicts).toHaveLength(8)
    expect(report.outages.map(({ target }) => target.role)).toEqual(['gateway', 'worker', 'nats'])
    expect(report.attempts.length).toBeGreaterThanOrEqual(160)
    // At least one call of each kind succeeded.
    const done = report.attempts.filter(({ outcome }) => outcome.kind === 'result')
    expect(new Set(done.map(({ kind }) => kind)).size).toBe(clientKinds.length)
    await untilNoDescendants()
  },
  timeoutMs,
)
