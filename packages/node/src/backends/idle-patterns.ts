import type { Config } from '@junctor/config'
import { matchesPattern } from '@junctor/gateway'

/** A pattern of a tenant's `tools` that matches no tool or method of its backends. It allows or denies nothing. */
interface IdlePattern {
  readonly tenant: string
  readonly list: 'allow' | 'deny'
  readonly pattern: string
}

/**
 * Returns the patterns that match nothing. Most are typing errors; in `deny`, such a pattern lets clients use what it
 * should deny. Patterns for a backend that was not reached are not judged.
 *
 * @param offers the tools and methods of each backend that was reached
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
