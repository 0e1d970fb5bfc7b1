import type { Scenario } from '../scenario.ts'
import { cancelRaces } from './faults/cancel-races.ts'
import { duplicateId } from './faults/duplicate-id.ts'
import { oddJson } from './faults/odd-json.ts'
import { sameIds } from './faults/same-ids.ts'

/** The faults that clients make, and those of the connections to them. */
export const clientScenarios: readonly Scenario[] = [sameIds, duplicateId, oddJson, cancelRaces]
