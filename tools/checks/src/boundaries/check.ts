import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Violation } from '../violation.ts'
import { isSourceFile, isTestFile, readManifest, readWorkspace, type WorkspacePackage } from '../workspace.ts'
import { findCycles } from './cycles.ts'
import { folderLayers, judgeFolders, type FileImport } from './folders.ts'
import { importsOf } from './imports.ts'
import { judgeImport, judgeLayerTag, splitSpecifier, type ImportContext } from './judge.ts'

/** Checks every import of every package below a root. */
export function checkBoundaries(root: string): { files: number; problems: Violation[] } {
  const packages = readWorkspace(root)
  const context: ImportContext = {
    packages: new Map(packages.map((entry) => [entry.name, entry])),
    rootDevDependencies: new Set(Object.keys(readManifest(join(root, 'package.json')).devDependencies ?? {})),
  }
  const edges = new Map(packages.map(({ name }) => [name, new Set<string>()]))
  const problems: Violation[] = packages.flatMap((entry) => judgeLayerTag(entry))
  let files = 0

  for (const from of packages) {
    const inside: FileImport[] = []
    for (const file of from.files.filter(isSourceFile)) {
      files += 1
      const where = `${from.folder}/${file}`
      for (const { specifier, isValue } of importsOf(where, readFileSync(join(root, where), 'utf8'))) {
        const what = judgeImport(from, file, specifier, context)
        if (what !== undefined) problems.push({ where, what })
        if (isTestFile(file)) continue
        inside.push({ file, specifier })
        if (isValue) addEdge(edges, from, splitSpecifier(specifier).name, context)
      }
    }
    const layers = folderLayers[from.folder]
    if (layers !== undefined) problems.push(...judgeFolders(from.folder, layers, inside))
  }

  for (const cycle of findCycles(edges)) {
    problems.push({ where: cycle[0] ?? '', what: `packages import each other in a circle: ${cycle.join(' -> ')}` })
  }
  return { files, problems }
}

function addEdge(
  edges: ReadonlyMap<string, Set<string>>,
  from: WorkspacePackage,
  name: string,
  { packages }: ImportContext,
): void {
  if (packages.has(name) && name !== from.name) edges.get(from.name)?.add(name)
}
