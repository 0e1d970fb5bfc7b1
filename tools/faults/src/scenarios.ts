import { clientScenarios } from './client/client-scenarios.ts'
import type { Scenario } from './scenario.ts'

/** Every fault: those of clients, those of backends. */
export const scenarios: readonly Scenario[] = [...clientScenarios]
