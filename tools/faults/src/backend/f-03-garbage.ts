import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { GatewayProcess } from '../client/gateway-process.ts'
import { metric } from '../client/metric.ts'
import { openSession } from '../client/peer/create-peer.ts'
import type { Peer } from '../client/peer/peer.ts'
import { until } from '../client/until.ts'
import { withProcess } from '../client/with-process.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason } from './scene.ts'

const oversize = 100 * 1024 * 1024
const flood = 200_000
/** The longest accepted pause on a free processor; on a busy one the process waits for its turn. */
const pausedMs = 100
/** Long before the deadline of 30 seconds. */
const soonMs = 10_000

/** The gateway skips and counts the garbage. Its memory stays below one such line, and its event loop keeps turning. */
export const garbage: Scenario = {
  id: 'F-3',
  title: 'a backend prints garbage without end, bytes that are no UTF-8, and lines of 100 MB',
  ways: ['http', 'stdio'],
  heavy: true,
  run: (way, onProgress) =>
    withProcess(way, { backends }, async ({ gateway, ...scene }) => {
      const peer = scene.connect()
      await openSession(peer)
      onProgress('garbage without end')
      const skipped = await measured(gateway, () => printGarbage(peer, gateway.admin))
      onProgress('lines of 100 MB')
      const long = await measured(gateway, () => printLongLines(peer, gateway.admin))
      // The input becomes garbage a moment later, and is collected when there is enough of it: no line is buffered
      // completely.
      assert.ok(
        long.grown < oversize,
        `expected memory for less than one such line, it grew by ${megabytes(long.grown)}`,
      )
      for (const { pauseMs, ownPauseMs } of [skipped, long]) {
        const most = pausedMs * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()) + ownPauseMs
        assert.ok(pauseMs < most, `expected no pause of the loop beyond ${most} ms, got ${pauseMs}`)
      }
      return [skipped, long]
        .map(
          ({ seen, grown, pauseMs, ownPauseMs }) =>
            `${seen}; memory +${megabytes(grown)}, pause ${pauseMs.toFixed(0)} ms (this client ${ownPauseMs.toFixed(0)})`,
        )
        .join('; ')
    }),
}

const backends = { faulty: faulty(), other: faulty(), mute: faulty({ timeout: '2s' }) }

async function printGarbage(peer: Peer, admin: string): Promise<string> {
  const flooding = call(peer, 'faulty__print', { kind: 'garbage', count: flood })
  const neighbour = await call(peer, 'other__echo', { text: 'well' })
  assert.deepEqual([neighbour.text, (await flooding).text], ['well', 'printed'])
  assert.equal((await call(peer, 'faulty__print', { kind: 'invalid', count: 3 })).text, 'printed')
  assert.deepEqual([await discarded(admin, 'not_a_message'), await discarded(admin, 'not_utf8')], [flood, 3])
  return `${flood} lines of garbage and 3 without UTF-8 skipped, another call took ${neighbour.ms.toFixed(0)} ms`
}

async function printLongLines(peer: Peer, admin: string): Promise<string> {
  assert.equal((await call(peer, 'faulty__print', { kind: 'long', bytes: oversize })).text, 'printed')
  const alone = await call(peer, 'faulty__answer', { bytes: oversize })
  const [one, other, neighbour] = await Promise.all([
    call(peer, 'faulty__answer', { bytes: oversize }),
    call(peer, 'faulty__wait', { ms: 1_000 }),
    call(peer, 'other__echo', { text: 'well' }),
  ])
  assert.deepEqual([other.text, neighbour.text], ['waited', 'well'])
  const long = [alone, one, await call(peer, 'faulty__answer', { bytes: oversize, idLast: true })]
  assert.deepEqual(long.map(reason), ['tool_failed', 'tool_failed', 'tool_failed'])
  const longest = Math.max(...long.map(({ ms }) => ms))
  assert.ok(longest < soonMs, `expected an error soon, got it after ${longest} ms`)
  // The line does not reveal its call, which ends at its deadline; so does the call whose answer ends the line.
  const swallowed = [
    await call(peer, 'mute__print', { kind: 'endless', bytes: oversize }),
    await call(peer, 'mute__echo', { text: 'the newline' }),
  ]
  assert.deepEqual(swallowed.map(reason), ['deadline_exceeded', 'deadline_exceeded'])
  assert.equal((await call(peer, 'mute__echo', { text: 'well' })).text, 'well')
  assert.equal((await call(peer, 'faulty__echo', { text: 'again' })).text, 'again')
  await until('each line to be counted', async () => (await discarded(admin, 'too_long')) === 5)
  return `answers of 100 MB became errors within ${longest.toFixed(0)} ms, 100 MB without a newline at the deadline`
}

function discarded(admin: string, why: string): Promise<number> {
  return metric(admin, 'mcp_backend_stdout_discarded_total', { reason: why })
}

interface Measured {
  readonly seen: string
  /** The largest growth of the gateway's resident memory, in bytes. */
  readonly grown: number
  /** The longest pause of its event loop. */
  readonly pauseMs: number
  /** The same for this process, which has hardly any work. */
  readonly ownPauseMs: number
}

async function measured(
  { inspector, pid }: Pick<GatewayProcess, 'inspector' | 'pid'>,
  act: () => Promise<string>,
): Promise<Measured> {
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  await inspector.heap()
  // Resets the peak to the current value (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = read('VmRSS')
  let seen = ''
  const own = monitorEventLoopDelay({ resolution: 5 })
  own.enable()
  const { pauseMs } = await inspector.cost(async () => {
    seen = await act()
  })
  own.disable()
  return { seen, grown: read('VmHWM') - before, pauseMs, ownPauseMs: own.max / 1e6 }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
