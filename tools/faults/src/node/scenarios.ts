import type { Scenario } from '../scenario.ts'
import { badConfigurations } from './f-20-bad-files.ts'
import { blockedLog } from './f-32-blocked-log.ts'
import { manyNames } from './f-39-many-names.ts'

/** The faults in the environment of a node: its files, its log, its metrics. */
export const nodeScenarios: readonly Scenario[] = [badConfigurations, blockedLog, manyNames]
