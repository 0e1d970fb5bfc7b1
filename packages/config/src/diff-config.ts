import { isDeepStrictEqual } from 'node:util'
import type { BackendConfig, Config, NatsConfig } from './config.ts'
import { sameBackend } from './same-backend.ts'

/** The backends that differ between two configurations, by name, each list in the order of the file. */
export interface BackendsDiff {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** The effect of a new configuration on a node that runs with another one. */
export interface ConfigDiff {
  readonly backends: BackendsDiff
  /** Words of the file, such as `listen.http`, that changed and take effect only after a restart. */
  readonly restart: readonly string[]
}

/** The words that take effect only after a restart. All other words are applied while the node runs. */
const restartWords: Readonly<Record<string, (config: Config) => unknown>> = {
  // A renewed certificate is used at once; whether there is one decides how the listener is made.
  'listen.http': ({ listen: { http } }) => ({ ...http, tls: http.tls !== undefined }),
  'listen.admin': ({ listen }) => listen.admin,
  'listen.nats': ({ listen }) => listen.nats,
  // Renewed credentials are used at the next connection.
  fabric: ({ fabric }) => (fabric === 'memory' ? fabric : withoutCredentials(fabric.nats)),
  server: ({ server }) => server,
  publicUrl: ({ publicUrl }) => publicUrl,
  limits: ({ limits }) => limits,
  secrets: ({ secrets }) => secrets,
  events: ({ events }) => events,
  audit: ({ audit }) => audit,
}

function withoutCredentials({ servers, cluster, key, replicas, tls }: NatsConfig): object {
  return { servers, cluster, key, replicas, tls: tls !== undefined }
}

/** The backends that changed in what their links or the routing to them depend on, and those that only one side has. */
export function diffBackends(before: Config, after: Config): BackendsDiff {
  const old = new Map(before.backends.map((backend) => [backend.name, backend]))
  const names = new Set(after.backends.map(nameOf))
  const hasChanged = (backend: BackendConfig): boolean => {
    const previous = old.get(backend.name)
    // Relative paths in a backend's options start from the file's folder.
    return previous !== undefined && (before.folder !== after.folder || !sameBackend(previous, backend))
  }
  return {
    added: after.backends.filter(({ name }) => !old.has(name)).map(nameOf),
    changed: after.backends.filter(hasChanged).map(nameOf),
    removed: before.backends.filter(({ name }) => !names.has(name)).map(nameOf),
  }
}

function nameOf({ name }: BackendConfig): string {
  return name
}

/** The words that changed and take effect only after a restart. */
export function wordsForRestart(before: Config, after: Config): readonly string[] {
  return Object.entries(restartWords)
    .filter(([, part]) => !isDeepStrictEqual(part(before), part(after)))
    .map(([word]) => word)
}
