import type { JsonObject } from '@junctor/jsonrpc'
import type { BackendConfig } from '../config.ts'
import type { Finding, Path } from '../problem.ts'

/**
 * Reports origins of views that are to be made from a public URL that the file does not have. One that is wrong is a problem
 * already.
 */
export function checkDomains(
  written: JsonObject,
  backends: readonly BackendConfig[],
  paths: ReadonlyMap<string, Path>,
): readonly Finding[] {
  if (written['publicUrl'] !== undefined) return []
  return backends
    .filter(({ appDomain }) => appDomain === 'recompute')
    .map(({ name }) => ({
      kind: 'wrong_value',
      path: [...(paths.get(name) ?? []), 'appDomain'],
      at: 'value',
      got: '"recompute" without publicUrl',
      expected: 'a file with publicUrl, from which the origins are made',
      next: 'Set publicUrl to the URL that clients use, or choose "drop".',
    }))
}
