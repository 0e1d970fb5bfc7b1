import { join } from 'node:path'
import { Application, LogLevel } from 'typedoc'
import { entryPoints } from './entry-points.ts'

/** How the writing ended. Typedoc has already printed what is wrong. */
export type Written =
  | { readonly kind: 'written'; readonly modules: number }
  | { readonly kind: 'failed'; readonly problems: number }

/**
 * Writes the reference of the repository at `root` into the folder `out`. An export without a docstring is a problem,
 * and so is a link to nothing; then no page is written.
 */
export async function writeReference(root: string, out: string): Promise<Written> {
  const points = entryPoints(root)
  const files = points.map(({ file }) => file)
  const app = await Application.bootstrap({
    name: 'Junctor',
    entryPoints: files,
    tsconfig: join(root, 'tsconfig.json'),
    basePath: root,
    readme: join(root, 'tools/reference/index.md'),
    // `pnpm check` compiles with the compiler that the repository uses.
    skipErrorChecking: true,
    excludeExternals: true,
    excludePrivate: true,
    disableSources: true,
    packagesRequiringDocumentation: [...new Set(points.map(({ name }) => name.split('/', 2).join('/')))],
    // Members may explain themselves by their names and types.
    requiredToBeDocumented: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable'],
    validation: { notExported: false, notDocumented: true, invalidLink: true, rewrittenLink: true },
    logLevel: LogLevel.Warn,
  })
  // Only what the entry points import: most of the repository is tests, and reading them takes half of the time.
  app.options.setCompilerOptions(files, app.options.getCompilerOptions(app.logger), undefined)
  const names = new Map(points.map(({ file, name }) => [file, name]))
  const sources = app.getEntryPoints() ?? []
  const project = app.converter.convert(
    sources.map((source) => ({ ...source, displayName: names.get(source.sourceFile.fileName) ?? source.displayName })),
  )
  app.validate(project)
  const problems = app.logger.errorCount + app.logger.warningCount
  if (problems > 0) return { kind: 'failed', problems }
  await app.generateDocs(project, out)
  return { kind: 'written', modules: points.length }
}
