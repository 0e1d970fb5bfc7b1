import type { BackendHealth } from './backend-health.ts'

/** The values of a backend on a node at one moment, for gauges. */
export interface BackendReading extends BackendHealth {
  readonly name: string
  /** How many tools it lists to a client without capabilities; 0: it was not asked yet. */
  readonly tools: number
}
