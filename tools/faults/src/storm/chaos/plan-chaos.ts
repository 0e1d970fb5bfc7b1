import { pick } from '../../soak/random.ts'

/** A process that can be killed. */
export interface Target {
  readonly role: 'gateway' | 'worker' | 'nats'
  readonly index: number
}

/** One process is killed, and restarted. Times in milliseconds; `at` counts from the beginning of the storm. */
export interface Strike {
  readonly target: Target
  readonly at: number
  readonly downMs: number
}

interface ChaosOptions {
  readonly seconds: number
  /** The number of processes of each role. */
  readonly counts: Readonly<Record<Target['role'], number>>
  readonly random: () => number
}

/** The calm before the first strike and after the last, as a share of the time. */
const calm = 0.1
/** The time between two strikes: long enough to restart, and to be hit while at work. */
const everyMs = 5_000
const down = { leastMs: 300, mostMs: 2_500 } as const

/** Plans the kills: the roles in turn, and in each role another process than the time before, if there is one. */
export function planChaos({ seconds, counts, random }: ChaosOptions): readonly Strike[] {
  const roles = (['gateway', 'worker', 'nats'] as const).filter((role) => counts[role] > 0)
  const [first, last] = [seconds * 1_000 * calm, seconds * 1_000 * (1 - calm)]
  const strikes: Strike[] = []
  const before = new Map<Target['role'], number>()
  for (let at = first; at < last && roles.length > 0; at += everyMs) {
    const role = roles[strikes.length % roles.length] ?? 'gateway'
    const others = Array.from({ length: counts[role] }, (_, index) => index).filter(
      (index) => counts[role] === 1 || index !== before.get(role),
    )
    const index = pick(random, others)
    before.set(role, index)
    const downMs = Math.round(down.leastMs + random() * (down.mostMs - down.leastMs))
    strikes.push({ target: { role, index }, at: Math.round(at), downMs })
  }
  return strikes
}
