import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One file that a package offers for import. */
export interface EntryPoint {
  /** What an importer writes: `@junctor/plugin-sdk/link`. */
  readonly name: string
  /** The source file, absolute. */
  readonly file: string
}

/** Every entry point of every public package and plugin under `root`, by name. */
export function entryPoints(root: string): readonly EntryPoint[] {
  return globSync('{packages,plugins}/*/package.json', { cwd: root })
    .flatMap((file) => entryPointsOf(join(root, file)))
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

function entryPointsOf(file: string): readonly EntryPoint[] {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly name: string
    readonly private?: boolean
    readonly exports?: Readonly<Record<string, string>>
  }
  if (manifest.private === true) return []
  return Object.entries(manifest.exports ?? {})
    .filter(([, source]) => source.endsWith('.ts'))
    .map(([path, source]) => ({ name: manifest.name + path.slice(1), file: join(dirname(file), source) }))
}
