import { checkBoundaries } from './boundaries/check.ts'
import { report } from './violation.ts'
import { repository } from './workspace.ts'

// Which package may import what: defined by the layer tags, the declared dependencies and the entry points.
const { files, problems } = checkBoundaries(repository)
report('boundaries', `${files} files`, problems)
