import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { exchange, floodKinds, floodRequest, floodsOfClients, pipeline } from './floods.ts'
import { demo, loud } from './loud.ts'
import { type CallTimes, startSteadyCalls } from './steady-calls.ts'
import { withProcess } from './with-process.ts'

/** The number of notifications of each kind. Together a million. */
const counts = { backend: 300_000, client: 50_000 } as const

/**
 * The limit for the slowest hundredth of other clients' calls, in milliseconds, or as a multiple of the duration
 * without a flood. A backend, a client, a gateway and the measuring process share the processors, so part of it is
 * scheduling. Of a client that sends requests without waiting, some hundred are handled in one turn.
 */
const slow = { backend: 40, client: 200, times: 2 } as const

/** Other work on the machine also causes pauses, but not in every attempt. */
const attempts = 3

/** A flood that is over before this many calls of another client says nothing of them: a fast machine has some. */
const leastCalls = 10

/** The effect of floods on other clients. */
export const floodFairness: Scenario = {
  id: 'F-15',
  title: 'how other clients fare during floods of notifications',
  ways: ['http'],
  heavy: true,
  run: (way) =>
    withProcess(way, { backends: { demo, loud: loud() } }, async ({ gateway: { url }, http }) => {
      const peer = await http()
      await peer.request('tools/call', { name: 'loud__echo' })
      const session = peer.session ?? ''
      const steady = await startSteadyCalls(url)
      const idle = await steady.during(() => after(2_000))
      const seen: string[] = []

      const measure = async (what: string, by: 'backend' | 'client', flood: () => Promise<void>): Promise<void> => {
        const most = Math.max(slow[by], slow.times * idle.p99)
        let best: CallTimes | undefined
        for (let attempt = 0; attempt < attempts && (best === undefined || best.p99 > most); attempt += 1) {
          // oxlint-disable-next-line no-await-in-loop
          const times = await steady.during(flood)
          if (times.calls >= leastCalls && (best === undefined || times.p99 < best.p99)) best = times
        }
        assert.ok(best !== undefined && best.p99 <= most, `${what} of a ${by}: ${JSON.stringify(best)}`)
        seen.push(`${what} of a ${by} ${shown(best)}`)
      }

      try {
        for (const kind of floodKinds) {
          const params = floodRequest(kind, counts.backend)
          const message = JSON.stringify({ jsonrpc: '2.0', id: kind, method: 'tools/call', params })
          // oxlint-disable-next-line no-await-in-loop
          await measure(kind, 'backend', () => exchange(url, session, message, 'flooded'))
        }
        for (const [what, message] of Object.entries(floodsOfClients)) {
          // oxlint-disable-next-line no-await-in-loop
          await measure(what, 'client', () => pipeline(url, session, message, counts.client))
        }
      } finally {
        await steady.close()
      }
      return `p99 (slowest) of other clients' calls: undisturbed ${shown(idle)}, ${seen.join(', ')}`
    }),
}

function shown({ p99, max }: CallTimes): string {
  return `${p99.toFixed(1)} (${max.toFixed(0)}) ms`
}
