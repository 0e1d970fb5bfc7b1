import type { BackendConfig } from '../config.ts'
import type { Finding, Path } from '../problem.ts'
import type { Sections } from '../schema/sections.ts'

/** Reports origins of views that are to be made from a public URL that the file does not have. */
export function checkDomains(
  { publicUrl }: Partial<Sections>,
  backends: readonly BackendConfig[],
  paths: ReadonlyMap<string, Path>,
): readonly Finding[] {
  if (publicUrl !== undefined) return []
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
