import type { Scenario } from '../scenario.ts'
import { killed } from './f-01-killed.ts'
import { hanging } from './f-02-hanging.ts'
import { garbage } from './f-03-garbage.ts'
import { complaining } from './f-04-complaining.ts'
import { crashLoop } from './f-05-crash-loop.ts'
import { ended } from './f-06-ended.ts'
import { throwingPlugin } from './f-23-throwing-plugin.ts'
import { forgetful } from './f-28-forgetful.ts'
import { cutStreams } from './f-29-cut-streams.ts'
import { unresolved } from './f-30-unresolved.ts'
import { noDescriptors } from './f-31-no-descriptors.ts'
import { storm } from './f-35-storm.ts'
import { pages } from './f-36-pages.ts'
import { changing } from './f-38-changing.ts'
import { halfOpen } from './f-41-half-open.ts'

/** The faults of backends, and of the connections to them. */
export const backendScenarios: readonly Scenario[] = [
  killed,
  hanging,
  garbage,
  complaining,
  crashLoop,
  ended,
  throwingPlugin,
  forgetful,
  cutStreams,
  unresolved,
  noDescriptors,
  storm,
  pages,
  changing,
  halfOpen,
]
