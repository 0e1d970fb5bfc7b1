import { setTimeout as after } from 'node:timers/promises'
import type { StormClient } from '../clients/storm-client.ts'
import type { Attempt, StormTool } from '../ledger/attempt.ts'
import { mayRepeat } from '../ledger/may-repeat.ts'
import { pick } from '../../soak/random.ts'
import { mixes } from './mixes.ts'

interface LoadOptions {
  readonly clients: readonly StormClient[]
  readonly seconds: number
  /** How many calls begin each second, regardless of earlier ones. */
  readonly rate: number
  readonly random: () => number
  /** Clients repeat calls that were lost with their connection, even if that may run them twice. */
  readonly rolling?: boolean | undefined
  readonly stop: AbortSignal
  /** Called with each attempt when it is over. */
  readonly onProgress: (attempt: Attempt) => void
}

/** How many attempts a client makes for a call. */
const attempts = 8
const backoff = { firstMs: 100, mostMs: 2_000 } as const

/** Begins calls at a steady rate for a while, and resolves with their number when the last of them is over. */
export async function driveCalls(options: LoadOptions): Promise<number> {
  const { clients, seconds, rate, random, stop } = options
  const began = performance.now()
  const open: Promise<void>[] = []
  const total = Math.round(seconds * rate)
  let started = 0
  while (started < total && !stop.aborted) {
    // Timers are late; missed calls are made immediately.
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1_000) * rate) + 1)
    for (; started < due; started += 1) {
      const client = pick(random, clients)
      const tool = pick(random, mixes[client.kind])
      open.push(repeatCall({ client, tool, ms: 40 + Math.round(random() * 200), of: started, ...options }))
    }
    // oxlint-disable-next-line no-await-in-loop
    await after(Math.max(1, 1_000 / rate / 2), undefined, { signal: stop }).catch(() => {})
  }
  await Promise.all(open)
  return started
}

interface CallOptions extends Pick<LoadOptions, 'random' | 'rolling' | 'stop' | 'onProgress'> {
  readonly client: StormClient
  readonly tool: StormTool
  readonly ms: number
  readonly of: number
}

/** One call: attempts, each with its own id, until one has a result or must not be repeated. */
async function repeatCall({ client, tool, ms, of, random, rolling, stop, onProgress }: CallOptions): Promise<void> {
  const { kind, canary } = client
  for (let attempt = 1; ; attempt += 1) {
    const call = { id: `${canary}.${of}.${attempt}`, tool, ms }
    const began = performance.now()
    // oxlint-disable-next-line no-await-in-loop
    const { outcome, job, accepted } = await client.attempt(call)
    onProgress({ ...call, kind, canary, of, began, ended: performance.now(), outcome, job, accepted })
    const isAgain = mayRepeat(outcome, tool) || (rolling === true && outcome.kind === 'lost')
    if (attempt === attempts || stop.aborted || !isAgain) return
    const pauseMs = Math.min(backoff.firstMs * 2 ** (attempt - 1), backoff.mostMs) * (0.5 + random())
    // oxlint-disable-next-line no-await-in-loop
    await after(pauseMs, undefined, { signal: stop }).catch(() => {})
  }
}
