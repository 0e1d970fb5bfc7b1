import type { BackendConfig } from '../config.ts'
import type { Finding, Path } from '../problem.ts'
import type { Sections } from '../schema/sections.ts'

/** Checks that backends which run on workers can be reached: workers do not share the memory of a gateway. */
export function checkWorkers(
  { fabric }: Partial<Sections>,
  backends: readonly BackendConfig[],
  paths: ReadonlyMap<string, Path>,
): readonly Finding[] {
  if (fabric !== 'memory') return []
  const stranded = backends.filter(({ runsOn }) => runsOn === 'workers')
  return stranded.map(({ name }) => ({
    kind: 'wrong_value',
    path: [...(paths.get(name) ?? []), 'runsOn'],
    at: 'value',
    got: '"workers", while the fabric is the memory of one gateway',
    expected: 'a fabric that workers share',
    next: 'Add fabric: { nats: { servers, key } }, or leave runsOn out.',
  }))
}
