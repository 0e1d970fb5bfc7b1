import { checkLayout } from './layout/check.ts'
import { report } from './problem.ts'
import { REPOSITORY } from './workspace.ts'

// What packages look like: siblings alike, telling names, the same doors inside and outside.
const { packages, problems } = checkLayout(REPOSITORY)
report('layout', `${packages} packages`, problems)
