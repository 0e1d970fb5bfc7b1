import { existsSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { basename, dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { printable } from '@junctor/primitives'
import { whileLoading } from './loading-module.ts'
import { pluginFault, type PluginFault } from './plugin-fault.ts'
import { isRelative, type SourceGraph } from './source-graph.ts'

/** The exports of a module. */
export interface ImportedModule {
  readonly kind: 'imported'
  readonly exports: Readonly<Record<string, unknown>>
}

/** How long a module may take to load, in milliseconds: a top-level `await` may never end. */
const loadMs = 10_000

const expected = 'a module that loads'

/**
 * Imports the module of a plugin.
 *
 * @param graph whose version makes another version another module, for the module and for all that it imports by relative
 *   paths. The code of earlier versions stays in memory until the process ends. Default: the module is imported once
 */
export async function importPlugin(
  file: string,
  graph: SourceGraph | undefined,
  withinMs: number = loadMs,
): Promise<ImportedModule | PluginFault> {
  using hooks = new DisposableStack()
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => late.resolve('late'), withinMs)
  try {
    const url = pathToFileURL(file)
    if (graph !== undefined) {
      url.search = graph.version
      hooks.use(versionedImports(url.href, graph))
    }
    const imported = await Promise.race([importing(file, url), late.promise])
    if (imported !== 'late') return { kind: 'imported', exports: imported }
    const next = 'Look for a top-level await that does not end.'
    return pluginFault(`${file}, which has not loaded after ${withinMs / 1000} s`, expected, next)
  } catch (error) {
    return loadFault(file, error)
  } finally {
    clearTimeout(timer)
  }
}

/** What the module starts while it loads is attributed to it. */
function importing(file: string, { href }: URL): Promise<ImportedModule['exports']> {
  return whileLoading(file, () => import(href) as Promise<ImportedModule['exports']>)
}

/**
 * Gives the version of a module to what it imports by relative paths, until it is disposed. CommonJS knows no versions: its
 * modules are forgotten when another version is loaded.
 */
function versionedImports(entry: string, { files, version }: SourceGraph): Disposable {
  const require = createRequire(entry)
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isPart = context.parentURL?.endsWith(`?${version}`) === true && context.conditions.includes('import')
      return isPart && isRelative(specifier) ? { ...found, url: `${found.url}?${version}` } : found
    },
    load(url, context, next) {
      if (url !== entry) return next(url, context)
      for (const file of files) delete require.cache[file]
      const loaded = next(url, context)
      // Node reads ahead what `module.exports = require('./x')` exports. It then takes x for loaded, if an earlier version was.
      if (loaded.format?.startsWith('commonjs') === true) require(fileURLToPath(url))
      return loaded
    },
  })
  return { [Symbol.dispose]: () => hooks.deregister() }
}

/** Why a module failed: the first line of what it has thrown, and what to do. */
export function loadFault(file: string, error: unknown): PluginFault {
  if (!existsSync(file)) {
    // The path was found in a manifest: a path of the configuration is looked at before.
    return pluginFault(
      `${file}, which does not exist`,
      expected,
      'Its package.json names it: build it, as with npm run build.',
    )
  }
  const { code, message, resource } = error instanceof Error ? (error as DeniedError) : { code: '', message: error }
  const [text = ''] = inspectedText(message).split('\n', 1)
  const next = nextSteps[code ?? ''] ?? (() => `Run it alone to see more: node ${file}`)
  const shown = printable(text.replaceAll(/\?[0-9a-f]{16}\b/g, ''))
  return pluginFault(`${file}, which fails with: ${shown}`, expected, next(file, resource ?? '', text))
}

/** An error of Node's permission model also names what was denied. */
type DeniedError = NodeJS.ErrnoException & { readonly resource?: string }

/** What to do about errors of Node, by their codes. */
const nextSteps: Readonly<Record<string, (file: string, resource: string, message: string) => string>> = {
  ERR_ACCESS_DENIED: (_file, resource) =>
    `A plugin in a process of its own reads its own package, node_modules and the SDK only, not: ${resource}`,
  ERR_MODULE_NOT_FOUND: (file, _resource, message) => nextForMissing(file, message),
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING: () =>
    'Packages must contain JavaScript: compile the TypeScript before it is published.',
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: () =>
    'Use TypeScript whose types can be erased: no enums, namespaces or parameter properties.',
  ERR_UNKNOWN_FILE_EXTENSION: () => 'Name a file that ends in .ts, .mts, .js, .mjs or .cjs.',
}

/** A package that is not there has to be installed; a file that is not there may be written as compilers accept it. */
function nextForMissing(file: string, message: string): string {
  const path = /^Cannot find module '([^']+)'/.exec(message)?.[1]
  if (path === undefined) return `Install what it imports: npm install in ${dirname(file)}`
  const written = ['.ts', '.js', '.mjs', '/index.ts', '/index.js'].map((ending) => path + ending)
  const meant = [...written, path.replace(/js$/, 'ts')].find((one) => existsSync(one))
  if (meant === undefined) return 'Correct the path: it starts at the file that imports it.'
  return `Write the path of the file itself, up to its ending: ${basename(path)} is ${meant}`
}

/** Anything may be thrown, also what has no text. */
function inspectedText(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : inspect(thrown)
}
