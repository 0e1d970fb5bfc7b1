import type { Scenario } from '../scenario.ts'
import { killed } from './f-01-killed.ts'
import { hanging } from './f-02-hanging.ts'
import { garbage } from './f-03-garbage.ts'
import { complaining } from './f-04-complaining.ts'
import { crashLoop } from './f-05-crash-loop.ts'
import { ended } from './f-06-ended.ts'

/** What backends do, and what is done to them. */
export const backendScenarios: readonly Scenario[] = [killed, hanging, garbage, complaining, crashLoop, ended]
