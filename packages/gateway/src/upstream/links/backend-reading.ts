import type { BackendHealth } from './backend-health.ts'

/** How a backend does on a node at one moment. */
export interface BackendReading extends BackendHealth {
  readonly name: string
  /** What it lists to a client that declares nothing; 0 as long as nobody has asked. */
  readonly tools: number
}
