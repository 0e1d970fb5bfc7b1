import type { Config } from '@junctor/config'
import { matchesPattern } from '@junctor/gateway'

/** A pattern of a tenant's `tools` that no tool or method of its backends matches. It allows or denies nothing. */
interface IdlePattern {
  readonly tenant: string
  readonly list: 'allow' | 'deny'
  readonly pattern: string
}

/**
 * Patterns that match nothing that the backends offer: most likely slips, and one in `deny` lets through what it was to
 * keep from clients. Of a pattern for a backend that was not reached nothing is known.
 *
 * @param offers what each backend that was reached offers
 */
export function idlePatterns(
  { tenants }: Pick<Config, 'tenants'>,
  offers: ReadonlyMap<string, { readonly tools: readonly string[]; readonly methods: readonly string[] }>,
): readonly IdlePattern[] {
  return tenants.flatMap(({ name: tenant, backends, tools }) => {
    const names = backends.flatMap((backend) => {
      const { tools: own = [], methods = [] } = offers.get(backend) ?? {}
      return [...own, ...methods].map((name) => `${backend}:${name}`)
    })
    const missing = backends.filter((backend) => !offers.has(backend))
    const mayMatchMissing = (pattern: string): boolean =>
      missing.some((backend) => matchesPattern(pattern.slice(0, pattern.indexOf(':')), backend))
    return (['allow', 'deny'] as const).flatMap((list) =>
      (tools[list] ?? [])
        .filter((pattern) => !mayMatchMissing(pattern) && !names.some((name) => matchesPattern(pattern, name)))
        .map((pattern) => ({ tenant, list, pattern })),
    )
  })
}
