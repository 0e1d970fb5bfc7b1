import type { BackendHealth } from './backend-health.ts'

/** The health of one backend on a node, with its name, for gauges. */
export interface NamedBackendHealth extends BackendHealth {
  readonly name: string
  /** How many tools it lists to a client without capabilities; 0: it was not asked yet. */
  readonly tools: number
  /** Calls that wait for their turn. */
  readonly waiting: number
}
