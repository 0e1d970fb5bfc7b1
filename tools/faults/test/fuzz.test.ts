import { untilNoDescendants } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { runFuzz } from '../src/fuzz/run-fuzz.ts'

/** It starts processes one after the other, and waits for the work of killed nodes. */
const timeoutMs = 240_000

it(
  'lifecycles in random order: no node crashes, accepted calls are answered once, nothing is left',
  async () => {
    const report = await runFuzz({
      seconds: 7,
      seed: 1,
      nodes: 2,
      servers: 1,
      clients: 8,
      stop: new AbortController().signal,
      onProgress: () => {},
    })
    expect(report.faults, `outages ${JSON.stringify(report.outages)}, logs in ${report.folder}`).toEqual([])
    expect(report.outages.length).toBeGreaterThan(0)
    expect(report.sessions).toBeGreaterThan(6)
    // Calls of each kind of client were answered. Which ways of calling they take in these seconds depends on the machine.
    const answered = new Set(Object.keys(report.answered).map((kind) => kind.split(' ')[0]))
    expect(answered).toEqual(new Set(['plain', 'saas', 'jobs', 'socket', 'events', 'stateless', 'bus']))
    await untilNoDescendants()
  },
  timeoutMs,
)
