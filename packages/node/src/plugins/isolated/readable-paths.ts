import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolve as resolveModule } from 'import-meta-resolve'

/**
 * The files and folders that the process of a plugin may read: the plugin's own package, the `node_modules` that its
 * imports are looked up in, and the SDK with what Junctor itself loads there.
 *
 * A plugin beside the configuration file would see that file and its secrets in "its package". So a folder that holds the
 * configuration does not count as the plugin's: such a plugin reads its own file only.
 *
 * @param module the plugin's file, absolute
 * @param folder the folder of the configuration file
 * @param host the program of the process, absolute
 */
export function readablePaths(module: string, folder: string, host: string): readonly string[] {
  const file = realpathSync(module)
  const own = ownFolder(file, realpathSync(folder))
  const ownHost = realpathSync(host)
  return [
    ...new Set([
      own ?? file,
      ...manifestsAbove(file),
      ...modulesAbove(file),
      ...[sdkOf(file), sdkOf(ownHost), ownHost].flatMap((one) => (one === undefined ? [] : withPackagesBeside(one))),
    ]),
  ]
}

/** The plugin's package, or the folder of its file; undefined when that holds the configuration. */
function ownFolder(file: string, folder: string): string | undefined {
  return [packageFolder(file), dirname(file)].find((own) => own !== undefined && !holds(own, folder))
}

function holds(outer: string, inner: string): boolean {
  const path = relative(outer, inner)
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`))
}

function packageFolder(file: string): string | undefined {
  return above(file).find((folder) => existsSync(join(folder, 'package.json')))
}

/** Node reads the manifest of a module's package, to know its kind of module. */
function manifestsAbove(file: string): readonly string[] {
  return above(file)
    .map((folder) => join(folder, 'package.json'))
    .filter((path) => existsSync(path))
}

function modulesAbove(file: string): readonly string[] {
  return above(file).flatMap((folder) => {
    if (basename(folder) === 'node_modules') return [folder]
    const modules = join(folder, 'node_modules')
    return existsSync(modules) ? [modules] : []
  })
}

/** The folders of a path, from the nearest one up. */
function above(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...above(folder)]
}

/** A package of Junctor with those that it is made of, and all that they import. Links may lead out of `node_modules`. */
function withPackagesBeside(file: string): readonly string[] {
  return [dirname(packageFolder(file) ?? file), ...modulesAbove(file)]
}

/** The copy of the SDK that a module gets. */
function sdkOf(file: string): string | undefined {
  try {
    return realpathSync(fileURLToPath(resolveModule('@junctor/plugin-sdk', pathToFileURL(file).href)))
  } catch {
    return undefined
  }
}
