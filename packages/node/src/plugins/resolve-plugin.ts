import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve as resolvePath } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolve as resolveModule } from 'import-meta-resolve'
import { pluginFault, type PluginFault } from './plugin-fault.ts'

/** The module of a plugin. */
export interface PluginModule {
  readonly kind: 'module'
  /** Its file, absolute. */
  readonly file: string
  /** The name of its package when the reference is one, else `undefined`. */
  readonly packageName: string | undefined
}

/** The files that stand for a folder without a manifest, the first that exists. */
const indexFiles = ['index.ts', 'index.js', 'index.mjs']

const expectedReference = 'the name of a package, or a path such as ./plugins/weather.ts'

/**
 * Finds the module that a backend's `plugin` names: a package, looked up from the configuration's folder and then from
 * where Junctor is installed, or a path from that folder to a file or to a folder.
 *
 * @param folder the folder of the configuration file, absolute
 */
export function resolvePlugin(reference: string, folder: string): PluginModule | PluginFault {
  if (/^\.{1,2}(?:[/\\]|$)/.test(reference) || isAbsolute(reference)) return atPath(resolvePath(folder, reference))
  if (/^[\w+.-]*:/.test(reference)) {
    return pluginFault(JSON.stringify(reference), expectedReference, 'Modules are loaded from files only.')
  }
  // The name of a module in a package, such as `@acme/plugins/weather`, has more parts than the name of the package.
  const packageName = /^(?:@[^/]+\/)?[^/]+$/.test(reference) ? reference : undefined
  const reasons: string[] = []
  for (const from of [pathToFileURL(join(folder, 'junctor.yaml')).href, import.meta.url]) {
    try {
      return { kind: 'module', file: fileURLToPath(resolveModule(reference, from)), packageName }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code !== 'ERR_MODULE_NOT_FOUND') reasons.push(message.split('\n', 1)[0] ?? '')
    }
  }
  const [reason = `${JSON.stringify(reference)}, which is not installed`] = reasons
  return pluginFault(reason, expectedReference, nextForAbsence(reference))
}

/** Yarn sets `process.versions.pnp` where packages have no folders. */
function nextForAbsence(reference: string): string {
  if ('pnp' in process.versions) {
    return "Yarn Plug'n'Play has no node_modules, where it is looked up: set nodeLinker: node-modules in .yarnrc.yml"
  }
  return `Install it in the folder of this file: npm install ${reference}`
}

function atPath(path: string): PluginModule | PluginFault {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return pluginFault(`${path}, which does not exist`, expectedReference, 'Check the path.')
  if (!found.isDirectory()) return { kind: 'module', file: path, packageName: undefined }
  const main = mainOf(path) ?? indexFiles.map((name) => join(path, name)).find(isFile)
  if (main !== undefined) return { kind: 'module', file: main, packageName: undefined }
  const expected = `a folder with a package.json that has exports or main, or one of ${indexFiles.join(', ')}`
  return pluginFault(`the folder ${path}`, expected, 'Name the file.')
}

/** The file that a folder's manifest names as the module of the package. */
function mainOf(folder: string): string | undefined {
  const manifest = join(folder, 'package.json')
  try {
    const { name, exports, main } = JSON.parse(readFileSync(manifest, 'utf8')) as Readonly<Record<string, unknown>>
    if (exports === undefined) return typeof main === 'string' ? join(folder, main) : undefined
    // A package may refer to itself by its name; that follows all rules of `exports`.
    return fileURLToPath(resolveModule(String(name), pathToFileURL(manifest).href))
  } catch {
    return undefined
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
