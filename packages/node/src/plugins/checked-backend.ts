import { describeJson } from '@junctor/jsonrpc'
import type { Backend } from '@junctor/plugin-sdk/link'

/**
 * Returns what a plugin has made, checked: its type holds for plugins in TypeScript only.
 *
 * @throws TypeError when it is no backend
 */
export function checkedBackend(made: Partial<Backend> | undefined): Backend {
  if (typeof made?.open === 'function' && typeof made.close === 'function') return made as Backend
  throw new TypeError(`expected a backend, got ${describeJson(made)}`)
}
