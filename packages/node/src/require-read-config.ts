import { JunctorError } from '@junctor/protocol'
import type { NodeConfig } from './node-config.ts'

/** What every configuration has that `parseConfig` returns, and the content of a file does not. */
const members = ['folder', 'listen', 'backends', 'tenants', 'auth', 'limits']

/**
 * Returns a configuration that was parsed. Throws `CONFIG_INVALID` for the content of a file that was not parsed, and for
 * the whole answer of a parse: a program in JavaScript may pass either.
 */
export function requireReadConfig(config: NodeConfig): NodeConfig {
  const given: Partial<NodeConfig> = config ?? {}
  const missing = members.find((name) => !Object.hasOwn(given, name))
  if (missing === undefined && Array.isArray(given.backends) && Array.isArray(given.tenants)) return config
  const got = missing === undefined ? 'one whose backends or tenants are no list' : `one without "${missing}"`
  throw new JunctorError(
    'CONFIG_INVALID',
    `expected a configuration as parseConfig or readConfig returns it in "config", got ${got}: the content of a file must be parsed first`,
  )
}
