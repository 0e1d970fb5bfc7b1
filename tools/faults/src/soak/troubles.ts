import { writeFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import type { GatewayProcess } from '../client/gateway-process.ts'
import { pick } from './random.ts'

/** What was done to a gateway. */
export interface TroubleTally {
  killed: number
  stopped: number
  reloads: number
  badReloads: number
}

const betweenMs = 400

/** Kills and stops backends in turn, and changes the configuration to valid and invalid ones, until it is stopped. */
export async function makeTrouble(
  gateway: GatewayProcess,
  config: (version: number) => JsonObject,
  random: () => number,
  tally: TroubleTally,
  stop: AbortSignal,
): Promise<void> {
  for (let round = 0; !stop.aborted; round += 1) {
    // One trouble after the other.
    // oxlint-disable-next-line no-await-in-loop
    await after(betweenMs, undefined, { signal: stop }).catch(() => {})
    const children = gateway.descendants().filter(({ command }) => command.includes('loud-server'))
    if (round % 5 === 4) {
      const isBad = random() < 0.4
      writeFileSync(gateway.file, isBad ? '{ "backends": ' : JSON.stringify(config(round)))
      if (isBad) tally.badReloads += 1
      else tally.reloads += 1
    } else if (children.length > 0 && random() < 0.6) {
      signal(pick(random, children).pid, 'SIGKILL')
      tally.killed += 1
    } else if (children.length > 0) {
      const { pid } = pick(random, children)
      signal(pid, 'SIGSTOP')
      tally.stopped += 1
      // oxlint-disable-next-line no-await-in-loop
      await after(betweenMs)
      signal(pid, 'SIGCONT')
    }
  }
  writeFileSync(gateway.file, JSON.stringify(config(0)))
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended meanwhile.
  }
}
