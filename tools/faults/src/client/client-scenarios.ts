import type { Scenario } from '../scenario.ts'
import { cancelRaces } from './scenarios/cancel-races.ts'
import { duplicateId } from './scenarios/duplicate-id.ts'
import { oddJson } from './scenarios/odd-json.ts'
import { sameIds } from './scenarios/same-ids.ts'

/** The faults that clients make, and those of the connections to them. */
export const clientScenarios: readonly Scenario[] = [sameIds, duplicateId, oddJson, cancelRaces]
