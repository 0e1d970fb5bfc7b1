import type { Scenario } from '../scenario.ts'
import { killedNode } from './f-10-killed-node.ts'
import { duplicates } from './f-11-duplicates.ts'
import { natsKilled, natsSilent } from './f-12-nats-down.ts'
import { fullDisk, storageBound } from './f-13-no-room.ts'
import { rollingUpdate } from './f-19-rolling-update.ts'
import { cutOff, halfOpen } from './f-25-partition.ts'
import { slowConsumer } from './f-26-slow-consumer.ts'
import { damagedRecords } from './f-46-damaged-records.ts'
import { otherVersions } from './f-47-other-versions.ts'
import { lostStreams } from './f-48-lost-streams.ts'
import { natsUnderLoad } from './f-49-nats-under-load.ts'
import { nodesUnderLoad } from './f-50-nodes-under-load.ts'
import { lifecyclesOfThree, lifecyclesOfTwo } from './f-51-lifecycles.ts'
import { grantsInRandomOrder } from './f-52-grants.ts'

/** The faults of the fabric, and of its nodes. */
export const fabricScenarios: readonly Scenario[] = [
  killedNode,
  duplicates,
  natsKilled,
  natsSilent,
  storageBound,
  fullDisk,
  rollingUpdate,
  cutOff,
  halfOpen,
  slowConsumer,
  damagedRecords,
  otherVersions,
  lostStreams,
  natsUnderLoad,
  nodesUnderLoad,
  lifecyclesOfTwo,
  lifecyclesOfThree,
  grantsInRandomOrder,
]
