import { checkLayout } from './layout/check.ts'
import { report } from './violation.ts'
import { REPOSITORY } from './workspace.ts'

// The shape of packages: similar siblings, clear names, the same doors inside and outside.
const { packages, problems } = checkLayout(REPOSITORY)
report('layout', `${packages} packages`, problems)
