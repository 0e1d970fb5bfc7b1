import { type Plugin, pluginContract } from '@junctor/plugin-sdk'
import { pluginFault, type PluginFault } from './plugin-fault.ts'

/** The plugin of a module, or why there is none. */
export type RecognisedPlugin = { readonly kind: 'plugin'; readonly plugin: Plugin } | PluginFault

/** A value that `definePlugin` of any version has made. */
type Stamped = Readonly<Record<string, unknown>> & { readonly contract: unknown }

/**
 * Finds the plugin among the exports of a module: the default export, or the one export that is a plugin. A plugin is
 * recognised by the contract's version, because a package has its own copy of the SDK.
 *
 * @param packageName the name that the plugin must have. Default: any
 */
export function recognisePlugin(
  exports: Readonly<Record<string, unknown>>,
  packageName: string | undefined,
): RecognisedPlugin {
  const named = [...new Set(Object.values(exports))].filter(isStamped)
  const standard = defaultOf(exports)
  const candidates = isStamped(standard) ? [standard] : named
  const [plugin, ...others] = candidates
  if (plugin === undefined) {
    const names = namesOf(exports)
    const got = names.length === 0 ? 'a module without exports' : `a module that exports ${names.join(', ')}`
    return pluginFault(
      got,
      'a plugin as default export',
      'Export the result of definePlugin: export default definePlugin({…})',
    )
  }
  if (others.length > 0) {
    const got = `a module with ${candidates.length} plugins`
    return pluginFault(got, 'one plugin', 'Make one of them the default export.')
  }
  return faultOf(plugin, packageName) ?? { kind: 'plugin', plugin: plugin as unknown as Plugin }
}

/** The default export. Of a module that a compiler has made CommonJS, Node returns all exports instead. */
function defaultOf({ __esModule: isCompiled, default: given }: Readonly<Record<string, unknown>>): unknown {
  return isCompiled === true && isObject(given) && 'default' in given ? given['default'] : given
}

/** What a module exports. Node gives each CommonJS module `module.exports` too, and makes it the default export. */
function namesOf(exports: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.keys(exports).filter((name) => name !== 'module.exports')
  const common = exports['module.exports']
  const isEmpty = isObject(common) && Object.keys(common).length === 0
  return isEmpty ? names.filter((name) => name !== 'default') : names
}

function isStamped(value: unknown): value is Stamped {
  // A plugin whose author has forgotten a member is one too: its problem is that member.
  return isObject(value) && 'contract' in value && ('create' in value || 'name' in value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function faultOf(plugin: Stamped, packageName: string | undefined): PluginFault | undefined {
  const { contract, name, key, config, create } = plugin
  if (contract !== pluginContract) {
    const next = 'Use the @junctor/plugin-sdk that has the version of this junctor.'
    return pluginFault(`a plugin of contract ${String(contract)}`, `a plugin of contract ${pluginContract}`, next)
  }
  if (typeof name !== 'string' || name === '') return malformed(plugin, 'name', 'a text')
  if (packageName !== undefined && name !== packageName) {
    const next = 'Give the plugin the name of its package.'
    return pluginFault(`a plugin named ${JSON.stringify(name)}`, `a plugin named ${JSON.stringify(packageName)}`, next)
  }
  const keys: readonly unknown[] = Array.isArray(key) ? key : [key]
  if (!keys.every((word) => typeof word === 'string')) return malformed(plugin, 'key', 'a word or a list of words')
  if (isObject(config) && !('_zod' in config) && '_def' in config) {
    const next = 'Import z from "zod" 4, or from "zod/v4" of 3.25.'
    return pluginFault('a plugin whose config is a schema of zod 3', 'a schema of zod 4 as config', next)
  }
  if (!isObject(config) || !isObject(config['_zod'])) return malformed(plugin, 'config', 'a schema of zod 4')
  return typeof create === 'function' ? undefined : malformed(plugin, 'create', 'a function')
}

function malformed(plugin: Stamped, member: string, expected: string): PluginFault {
  if (plugin[member] === undefined) {
    return pluginFault(`a plugin without ${member}`, `${expected} as ${member}`, `Add ${member} to definePlugin.`)
  }
  return pluginFault(
    `a plugin whose ${member} is something else`,
    `${expected} as ${member}`,
    `Mend ${member} in definePlugin.`,
  )
}
