import { isDeepStrictEqual } from 'node:util'
import type { BackendConfig } from './config.ts'

/**
 * Whether two configurations of a backend are equal: the same plugin object, and equal data. Plugins are compared by
 * identity, because two versions of one module can look alike.
 */
export function sameBackend(one: BackendConfig, other: BackendConfig): boolean {
  return one.plugin === other.plugin && isDeepStrictEqual({ ...one, plugin: '' }, { ...other, plugin: '' })
}
