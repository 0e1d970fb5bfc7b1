import type { Scenario } from '../scenario.ts'
import { cancelRaces } from './f-37-cancel-races.ts'
import { duplicateId } from './f-08-duplicate-id.ts'
import { oddJson } from './f-17-odd-json.ts'
import { sameIds } from './f-07-same-ids.ts'

/** The faults that clients make, and those of the connections to them. */
export const clientScenarios: readonly Scenario[] = [sameIds, duplicateId, oddJson, cancelRaces]
