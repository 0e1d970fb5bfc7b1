import type { Config } from '@junctor/config'
import type { JunctorNode } from '@junctor/node'
import type { Profile } from '@junctor/protocol'
import { mcpProfile, prefixOf, profiles, publicName } from '@junctor/protocol'
import { failureOf } from '@junctor/command'
import type { StartedBackend } from '../report/report.ts'

/** How long the report waits for the backends, in milliseconds. A slower backend does not delay the others. */
const longestStartMs = 10_000

/** The states of the backends of a node, once all have answered or the time is over. */
export async function startedBackends(
  node: Pick<JunctorNode, 'status'>,
  config: Config,
  timeoutMs: number = longestStartMs,
): Promise<readonly StartedBackend[]> {
  const statuses = await node.status(timeoutMs)
  const { profile, separator, maxLength } = namingOf(config)
  const prefixes = new Map(config.backends.map(({ name, prefix }) => [name, prefixOf(prefix, name, profile)]))
  return statuses.map(({ name, state, tools, error }) => ({
    name,
    state,
    tools: tools.map((tool) => publicName(prefixes.get(name) ?? name, separator, tool, maxLength)),
    failure: error && failureOf(error),
  }))
}

/** The naming of the first tenant. Other tenants may use other names. */
function namingOf({ tenants: [tenant] }: Config): {
  readonly profile: Profile
  readonly separator: string
  readonly maxLength: number | undefined
} {
  const profile = profiles[tenant?.profile ?? ''] ?? mcpProfile
  return { profile, separator: tenant?.separator ?? profile.separator, maxLength: tenant?.maxLength }
}
