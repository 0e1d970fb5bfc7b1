import { isDeepStrictEqual } from 'node:util'
import type { BackendConfig, Config, NatsConfig } from './config.ts'
import { sameBackend } from './same-backend.ts'

/** Names grouped by their change, each list in the order of the file. */
export interface NamesDiff {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly kept: readonly string[]
}

/** The effect of a new configuration on a node that runs with another one. */
export interface ConfigDiff {
  /** A backend is kept when nothing changed that its links or the routing to it depend on. */
  readonly backends: NamesDiff
  readonly tenants: NamesDiff
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

/** Compares two configurations. */
export function diffConfig(before: Config, after: Config): ConfigDiff {
  // Relative paths in a backend's options start from the file's folder.
  const isSame = (one: BackendConfig, other: BackendConfig): boolean =>
    before.folder === after.folder && sameBackend(one, other)
  return {
    backends: diffNamed(before.backends, after.backends, isSame),
    tenants: diffNamed(before.tenants, after.tenants, isDeepStrictEqual),
    restart: Object.entries(restartWords)
      .filter(([, part]) => !isDeepStrictEqual(part(before), part(after)))
      .map(([word]) => word),
  }
}

interface Named {
  readonly name: string
}

function diffNamed<Entry extends Named>(
  before: readonly Entry[],
  after: readonly Entry[],
  isEqual: (one: Entry, other: Entry) => boolean,
): NamesDiff {
  const old = new Map(before.map((entry) => [entry.name, entry]))
  const names = new Set(after.map(({ name }) => name))
  const common = after.filter(({ name }) => old.has(name))
  const isKept = (entry: Entry): boolean => {
    const previous = old.get(entry.name)
    return previous !== undefined && isEqual(previous, entry)
  }
  return {
    added: after.filter(({ name }) => !old.has(name)).map(nameOf),
    changed: common.filter((entry) => !isKept(entry)).map(nameOf),
    removed: before.filter(({ name }) => !names.has(name)).map(nameOf),
    kept: common.filter(isKept).map(nameOf),
  }
}

function nameOf({ name }: Named): string {
  return name
}
