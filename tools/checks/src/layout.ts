import { checkLayout } from './layout/check.ts'
import { report } from './violation.ts'
import { repository } from './workspace.ts'

// The shape of packages: similar siblings, clear names, the same entry points in the workspace and as published.
const { packages, problems } = checkLayout(repository)
report('layout', `${packages} packages`, problems)
