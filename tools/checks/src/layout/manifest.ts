import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '../violation.ts'
import type { Manifest, WorkspacePackage } from '../workspace.ts'

/**
 * Checks the manifest of a package.
 *
 * @param engines of the workspace: each package is installed on its own, so it must repeat them
 */
export function judgeManifest(
  { folder, manifest, files }: WorkspacePackage,
  engines: Manifest['engines'] = manifest.engines,
): Violation[] {
  const where = `${folder}/package.json`
  const problems: Violation[] = []
  if (!manifest.description?.trim()) problems.push({ where, what: 'has no description' })
  if (!files.includes('README.md')) problems.push({ where: folder, what: 'has no README.md' })
  if (!isDeepStrictEqual(manifest.engines, engines)) {
    problems.push({ where, what: `must have engines ${JSON.stringify(engines)}, as the workspace has` })
  }
  return [...problems, ...judgeEntryPoints(where, manifest)]
}

/** Checks that the entry points in the workspace and in the published package are the same. */
function judgeEntryPoints(where: string, { exports = {}, publishConfig, private: isPrivate }: Manifest): Violation[] {
  if (isPrivate === true) return []
  const published = publishConfig?.exports ?? {}
  const entryPoints = new Set([...Object.keys(exports), ...Object.keys(published)])
  return [...entryPoints].flatMap((entryPoint): Violation[] => {
    const source = exports[entryPoint]
    if (source === undefined)
      return [{ where, what: `publishes the entry point "${entryPoint}", which exports does not have` }]
    const built = builtFiles(source)
    if (isDeepStrictEqual(published[entryPoint], built)) return []
    return [{ where, what: `publishConfig.exports["${entryPoint}"] must be ${JSON.stringify(built)}` }]
  })
}

/** A file that is not compiled is published at its own path. */
function builtFiles(source: string): string | { types: string; default: string } {
  if (!source.endsWith('.ts')) return source
  const path = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '')
  return { types: `${path}.d.ts`, default: `${path}.js` }
}
