import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Violation } from '../violation.ts'
import { readManifest, readWorkspace, type WorkspacePackage } from '../workspace.ts'
import { judgeDoc } from './doc.ts'
import { judgeDocstrings } from './docstrings.ts'
import { judgeIndex } from './index-file.ts'
import { judgeMain } from './main-file.ts'
import { judgeManifest } from './manifest.ts'
import { judgeNames } from './names.ts'
import { judgeReadme } from './readme.ts'
import { judgeSiblings } from './siblings.ts'

/** Checks the shape of every package below a root, and the paths that the pages below `docs` name. */
export function checkLayout(root: string): { packages: number; problems: Violation[] } {
  const packages = readWorkspace(root)
  const { engines } = readManifest(join(root, 'package.json'))
  const ofPackages = packages.flatMap((entry) => [
    ...judgeManifest(entry, engines),
    ...judgeSiblings(entry),
    ...judgeNames(entry),
    ...judgeFiles(root, entry),
  ])
  return { packages: packages.length, problems: [...ofPackages, ...judgeDocs(root, packages)] }
}

function judgeDocs(root: string, packages: readonly WorkspacePackage[]): Violation[] {
  const docs = join(root, 'docs')
  if (!existsSync(docs)) return []
  const files = packages.flatMap(({ folder, files: own }) => own.map((file) => `${folder}/${file}`))
  return globSync('**/*.md', { cwd: docs }).flatMap((page) =>
    judgeDoc(files, readFileSync(join(docs, page), 'utf8')).map((what) => ({ where: `docs/${page}`, what })),
  )
}

function judgeFiles(root: string, { folder, files }: WorkspacePackage): Violation[] {
  return files.flatMap((file) => {
    const judges = judgesOf(file, files)
    if (judges.length === 0) return []
    const where = `${folder}/${file}`
    const source = readFileSync(join(root, where), 'utf8')
    return judges.flatMap((judge) => judge(where, source)).map((what) => ({ where, what }))
  })
}

type Judge = (where: string, source: string) => string[]

function judgesOf(file: string, files: readonly string[]): Judge[] {
  if (file === 'README.md') return [(_where, source) => judgeReadme(files, source)]
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) return []
  if (file === 'src/main.ts') return [(_where, source) => judgeMain(source), judgeDocstrings]
  return /^src\/(?:.*\/)?index\.ts$/.test(file) ? [judgeIndex, judgeDocstrings] : [judgeDocstrings]
}
