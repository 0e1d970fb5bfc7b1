import type { BackendConfig, Config } from '@junctor/config'
import type { JunctorNode } from '@junctor/node'
import { JunctorError, mcpProfile, prefixOf, type Profile, profiles, publicName } from '@junctor/protocol'
import { type Failure, failureOf, noDescriptors } from '@junctor/command'
import type { StartedBackend } from '../report/report.ts'

/** How long the report waits for the backends, in milliseconds. A slower backend does not delay the others. */
const longestStartMs = 10_000

const onWorkers =
  'A junctor-worker with this backend in its file must be connected. If one is, its log says why the backend is not up.'
const ofPlugin = 'Look at its options, and at its lines in the log. It is tried again when a client needs it.'

/** The states of the backends of a node, once all have answered or the time is over. */
export async function startedBackends(
  node: Pick<JunctorNode, 'status'>,
  config: Config,
  timeoutMs: number = longestStartMs,
): Promise<readonly StartedBackend[]> {
  const statuses = await node.status(timeoutMs)
  const { profile, separator, maxLength } = namingOf(config)
  const configured = new Map(config.backends.map((backend) => [backend.name, backend]))
  const prefixOfBackend = (name: string): string => prefixOf(configured.get(name)?.prefix, name, profile)
  return statuses.map(({ name, state, tools, error, warnings }) => ({
    name,
    state,
    tools: tools.map((tool) => publicName(prefixOfBackend(name), separator, tool, maxLength)),
    failure: error && failureOfBackend(error, configured.get(name)),
    warnings,
  }))
}

/** The failure of a backend. An error does not know where its backend runs, nor what was to be reached. */
function failureOfBackend(error: Error, backend: BackendConfig | undefined): Failure {
  const failure = failureOf(error)
  const isUnreachable = error instanceof JunctorError && error.code === 'BACKEND_UNREACHABLE'
  if (!isUnreachable || noDescriptors(error) !== undefined) return failure
  if (backend?.runsOn === 'workers') return { ...failure, next: onWorkers }
  return backend?.word === 'plugin' ? { ...failure, next: ofPlugin } : failure
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
