import type { Scenario } from '../scenario.ts'
import { sameIds } from './f-07-same-ids.ts'
import { duplicateId } from './f-08-duplicate-id.ts'
import { longStream } from './f-14-long-stream.ts'
import { slowReader } from './f-14-slow-reader.ts'
import { floodFairness } from './f-15-flood-fairness.ts'
import { notificationFlood } from './f-15-notification-flood.ts'
import { oversize } from './f-16-oversize.ts'
import { oddJson } from './f-17-odd-json.ts'
import { slowClients } from './f-18-slow-clients.ts'
import { fullLog } from './f-32-full-log.ts'
import { cancelRaces } from './f-37-cancel-races.ts'
import { vanished } from './f-41-vanished.ts'
import { bufferingProxy } from './f-42-buffering-proxy.ts'

/** The faults that clients cause, and those of the connections to them. */
export const clientScenarios: readonly Scenario[] = [
  sameIds,
  duplicateId,
  slowReader,
  longStream,
  notificationFlood,
  floodFairness,
  oversize,
  oddJson,
  slowClients,
  fullLog,
  cancelRaces,
  vanished,
  bufferingProxy,
]
