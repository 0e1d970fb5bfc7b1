import type { Scenario } from '../scenario.ts'
import { killedNode } from './f-10-killed-node.ts'
import { duplicates } from './f-11-duplicates.ts'
import { natsKilled, natsSilent } from './f-12-nats-down.ts'
import { fullDisk, storageBound } from './f-13-no-room.ts'

/** The faults of what several nodes share, and of the nodes. */
export const fabricScenarios: readonly Scenario[] = [
  killedNode,
  duplicates,
  natsKilled,
  natsSilent,
  storageBound,
  fullDisk,
]
