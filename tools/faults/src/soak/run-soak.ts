import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { startRemoteServer } from '../backend/servers/remote-server.ts'
import { startGatewayProcess } from '../client/gateway-process.ts'
import { loud } from '../client/loud.ts'
import { until } from '../client/until.ts'
import { keepBusy, type Tally } from './busy-client.ts'
import { judgeSamples } from './judge-samples.ts'
import { createRandom } from './random.ts'
import { type Sample, sessionsOf, takeSample } from './sample.ts'
import { makeTrouble, type TroubleTally } from './troubles.ts'

/** The findings of a soak. */
export interface SoakReport {
  readonly samples: readonly Sample[]
  readonly calls: Tally
  readonly troubles: TroubleTally
  /** The faults, as texts; empty when there are none. */
  readonly faults: readonly string[]
}

interface SoakOptions {
  /** The total time under load. */
  readonly seconds: number
  /** The number of quiet moments, spread over the time; at least 2. */
  readonly quiet: number
  /** The number of concurrent clients. */
  readonly clients: number
  /** Called with the sample of each quiet moment. */
  readonly onProgress: (sample: Sample) => void
}

/** The longest time until all idle sessions and processes have ended, in milliseconds. */
const settleMs = 60_000

/** How long unused connections are kept, with a reserve, in milliseconds. */
const lingerMs = 7_000

/**
 * Loads the real command with clients that connect, call and disconnect, while its backends are killed and its
 * configuration changes. At quiet moments it measures what the gateway still holds.
 */
export async function runSoak({ seconds, quiet, clients, onProgress }: SoakOptions): Promise<SoakReport> {
  const remote = await startRemoteServer()
  const gateway = await startGatewayProcess({ config: configOf(remote.url, 0) })
  const random = createRandom(seconds)
  const calls: Tally = { sessions: 0, results: 0, errors: new Map(), lost: 0 }
  const troubles: TroubleTally = { killed: 0, stopped: 0, reloads: 0, badReloads: 0 }
  const samples: Sample[] = []
  const began = performance.now()
  try {
    for (let moment = 0; moment < quiet; moment += 1) {
      const stop = AbortSignal.timeout((seconds * 1000) / quiet)
      const busy = Array.from({ length: clients }, () => keepBusy(gateway.url, random, calls, stop))
      const listen = { http: { port: 0 }, admin: { port: 0 } }
      const config = (version: number): JsonObject => ({ listen, ...configOf(remote.url, version) })
      // Each quiet moment comes after the load before it.
      // oxlint-disable-next-line no-await-in-loop
      await Promise.all([...busy, makeTrouble(gateway, config, random, troubles, stop)])
      // oxlint-disable-next-line no-await-in-loop
      await until('nothing but the guard to be left', () => isQuiet(gateway), settleMs)
      // oxlint-disable-next-line no-await-in-loop
      await after(lingerMs)
      // oxlint-disable-next-line no-await-in-loop
      const sample = await takeSample(gateway, Math.round((performance.now() - began) / 1000))
      samples.push(sample)
      onProgress(sample)
    }
  } finally {
    await gateway.stop()
    await remote.close()
  }
  const faults = [...judgeSamples(samples), ...(calls.lost > 0 ? [`${calls.lost} sessions were lost`] : [])]
  return { samples, calls, troubles, faults }
}

/** Whether the sessions of disconnected clients have ended, and their processes. */
async function isQuiet(gateway: Awaited<ReturnType<typeof startGatewayProcess>>): Promise<boolean> {
  const children = gateway.descendants().filter(({ command }) => command.includes('loud-server'))
  return children.length === 0 && (await sessionsOf(gateway)) === 0
}

/** A configuration with short idle times, so that a quiet moment comes soon. */
function configOf(url: string, version: number): JsonObject {
  const idle = { idle: '1s', timeout: '2s' }
  return {
    limits: { sessionIdle: '2s', streamKeep: '2s', sessions: 2000 },
    backends: {
      child: loud({}, idle),
      changing: loud({}, { ...idle, env: { VERSION: String(version) } }),
      remote: { url, ...idle },
      demo: { plugin: '@junctor/plugin-demo' },
    },
  }
}
