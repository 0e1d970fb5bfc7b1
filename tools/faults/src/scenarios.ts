import { backendScenarios } from './backend/scenarios.ts'
import { clientScenarios } from './client/scenarios.ts'
import { clientScenarios } from './client/scenarios.ts'
import type { Scenario } from './scenario.ts'

/** Every fault that the tool knows how to let happen: those of backends, those of clients. */
export const scenarios: readonly Scenario[] = [...backendScenarios, ...clientScenarios]
