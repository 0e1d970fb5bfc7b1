import type { Scenario } from '../scenario.ts'
import { sameIds } from './f-07-same-ids.ts'
import { duplicateId } from './f-08-duplicate-id.ts'
import { slowReader } from './f-14-slow-reader.ts'
import { floodFairness } from './f-15-flood-fairness.ts'
import { notificationFlood } from './f-15-notification-flood.ts'
import { oversize } from './f-16-oversize.ts'
import { oddJson } from './f-17-odd-json.ts'
import { cancelRaces } from './f-37-cancel-races.ts'

/** The faults that clients make, and those of the connections to them. */
export const clientScenarios: readonly Scenario[] = [
  sameIds,
  duplicateId,
  slowReader,
  notificationFlood,
  floodFairness,
  oversize,
  oddJson,
  cancelRaces,
]
