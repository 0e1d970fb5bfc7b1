import { backendScenarios } from './backend/scenarios.ts'
import { clientScenarios } from './client/scenarios.ts'
import { fabricScenarios } from './fabric/scenarios.ts'
import { nodeScenarios } from './node/scenarios.ts'
import type { Scenario } from './scenario.ts'

/** All faults, in the order of the fault list. */
export const scenarios: readonly Scenario[] = [
  ...backendScenarios,
  ...clientScenarios,
  ...fabricScenarios,
  ...nodeScenarios,
].toSorted((a, b) => number(a) - number(b))

function number({ id }: Scenario): number {
  return Number(id.slice('F-'.length))
}
