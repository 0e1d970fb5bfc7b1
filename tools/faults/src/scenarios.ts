import type { Scenario } from './scenario.ts'

/** Every fault, in the order of the fault list. */
export const scenarios: readonly Scenario[] = []
