import { hash } from 'node:crypto'
import type { BackendConfig } from '@junctor/config'

/** Names of options that may differ for one server: credentials, and what they are sent with. */
const ofCredentials = /token|secret|pass|key|credential|bearer|auth|cookie|headers?|env/i

/**
 * A digest of where the server of a backend is: of its plugin, and of its options without credentials, which are renewed,
 * and may be others at each node. It reveals nothing of them.
 */
export function backendAddress({ plugin, options }: Pick<BackendConfig, 'plugin' | 'options'>): string {
  return hash('sha256', JSON.stringify([plugin.name, options], addressing), 'base64url')
}

/** Leaves out what is no data, and differences in the order of an object's members. */
function addressing(name: string, value: unknown): unknown {
  if (ofCredentials.test(name)) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
