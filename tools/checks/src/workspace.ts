import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The part of a package.json that the checks read. */
export interface Manifest {
  readonly name?: string
  readonly description?: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly nx?: { readonly tags?: readonly string[] }
}

/** One folder of the workspace. */
export interface WorkspacePackage {
  /** From the root, with slashes: `packages/jsonrpc`. */
  readonly folder: string
  readonly name: string
  /** `x` of the tag `layer:x`; undefined when there is no such tag. */
  readonly layer: string | undefined
  readonly manifest: Manifest
  /** Every file that is not installed or built, from the package's folder, with slashes. */
  readonly files: readonly string[]
}

/** Where workspace packages live: the same folders as in pnpm-workspace.yaml. */
const folders = '{packages,plugins,apps,tools}/*/package.json'
const ignored = new Set(['node_modules', 'dist', '.nx', '.cache', 'coverage'])

/** Reads a package.json. Throws when it is missing or no JSON; does not check its members. */
export function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest
}

/** Every workspace package below a root, in the order of their folders. */
export function readWorkspace(root: string): WorkspacePackage[] {
  return globSync(folders, { cwd: root })
    .map((file) => dirname(file).replaceAll('\\', '/'))
    .toSorted()
    .map((folder) => readPackage(root, folder))
}

function readPackage(root: string, folder: string): WorkspacePackage {
  const manifest = readManifest(join(root, folder, 'package.json'))
  return {
    folder,
    name: manifest.name ?? folder,
    layer: layerOf(manifest),
    manifest,
    files: filesOf(join(root, folder)),
  }
}

function layerOf(manifest: Manifest): string | undefined {
  return manifest.nx?.tags?.find((tag) => tag.startsWith('layer:'))?.slice('layer:'.length)
}

function filesOf(folder: string): string[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true, exclude: (entry) => ignored.has(entry.name) })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted()
}

/** Whether a file is code. */
export function isSourceFile(file: string): boolean {
  return /\.(?:ts|mts|js|mjs)$/.test(file)
}

/** Whether a file is a test, or is used only by tests: it may import dev dependencies. */
export function isTestFile(file: string): boolean {
  return file.endsWith('.test.ts') || file.startsWith('test/')
}

/** The repository's root, found from this file; in tests, a given folder has the same structure. */
export const repository: string = findRoot(import.meta.dirname)

function findRoot(from: string): string {
  return existsSync(join(from, 'pnpm-workspace.yaml')) ? from : findRoot(dirname(from))
}
