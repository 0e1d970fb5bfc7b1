import { isDeepStrictEqual } from 'node:util'
import type { BackendConfig, Config } from './config.ts'

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
  'listen.http': ({ listen }) => listen.http,
  'listen.admin': ({ listen }) => listen.admin,
  'listen.nats': ({ listen }) => listen.nats,
  fabric: ({ fabric }) => fabric,
  server: ({ server }) => server,
  publicUrl: ({ publicUrl }) => publicUrl,
  limits: ({ limits }) => limits,
  secrets: ({ secrets }) => secrets,
  events: ({ events }) => events,
  audit: ({ audit }) => audit,
}

/** Compares two configurations. */
export function diffConfig(before: Config, after: Config): ConfigDiff {
  return {
    backends: diffNamed(backendsIn(before), backendsIn(after)),
    tenants: diffNamed(before.tenants, after.tenants),
    restart: Object.entries(restartWords)
      .filter(([, part]) => !isDeepStrictEqual(part(before), part(after)))
      .map(([word]) => word),
  }
}

/** Relative paths in a backend's options start from the file's folder, so the folder is a part of each backend. */
function backendsIn({ backends, folder }: Config): readonly (BackendConfig & { readonly folder: string })[] {
  return backends.map((backend) => ({ ...backend, folder }))
}

interface Named {
  readonly name: string
}

function diffNamed(before: readonly Named[], after: readonly Named[]): NamesDiff {
  const old = new Map(before.map((entry) => [entry.name, entry]))
  const names = new Set(after.map(({ name }) => name))
  const common = after.filter(({ name }) => old.has(name))
  const isKept = (entry: Named): boolean => isDeepStrictEqual(old.get(entry.name), entry)
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
