import type { JsonObject } from '@junctor/jsonrpc'
import { checkBackend } from '../backends/check-backend.ts'
import type { KnownPlugins } from '../backends/choose-plugin.ts'
import type { ConfigurablePlugin } from '../backends/configurable-plugin.ts'
import { declaredBackends } from '../backends/declared-backend.ts'
import { foreignServers } from '../backends/foreign-servers.ts'
import type { BackendConfig, Config } from '../config.ts'
import type { ResolvedReferences } from '../document/references.ts'
import { type FieldNotes, fieldNotes } from '../findings/field-notes.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding, Path } from '../problem.ts'
import type { CheckedSections } from './check-sections.ts'

/** The backends of a file, and all that is wrong with them. */
export interface CheckedBackends<Plugin extends ConfigurablePlugin> {
  /** The names of all declared backends, including faulty ones, because other sections may refer to them. */
  readonly names: readonly string[]
  readonly backends: readonly BackendConfig<Plugin>[]
  /** The position of each backend in the file, by name. */
  readonly paths: ReadonlyMap<string, Path>
  readonly findings: readonly Finding[]
}

/** What backends are checked with beside the file. */
export interface BackendSources<Plugin extends ConfigurablePlugin> extends Pick<ResolvedReferences, 'replaced'> {
  readonly plugins: KnownPlugins<Plugin>
  /** The tools that the operator has approved. */
  readonly approved: Config['pins']['approved']
}

/**
 * Checks the backends of this file, including the servers of other programs in it.
 *
 * @param written the file as it is, with unreplaced references
 */
export function checkBackends<Plugin extends ConfigurablePlugin>(
  {
    sections: { backends = {}, timeout = 0, pins: mode = 'off' },
    foreign: { mcpServers = {}, servers = {} },
  }: CheckedSections,
  written: JsonObject,
  { plugins, replaced, approved }: BackendSources<Plugin>,
): CheckedBackends<Plugin> {
  const own = declaredBackends(backends)
  const most = foreignServers('mcpServers', mcpServers, Object.keys(backends))
  const taken = [...own.backends, ...most.backends].map(({ name }) => name)
  const more = foreignServers('servers', servers, taken)
  const declared = [...own.backends, ...most.backends, ...more.backends]
  const notes = new Map<ConfigurablePlugin, FieldNotes>()
  const notesOf = (plugin: ConfigurablePlugin): FieldNotes => {
    const known = notes.get(plugin) ?? fieldNotes(plugin.config)
    notes.set(plugin, known)
    return known
  }
  const checks = { plugins, notesOf, usual: { timeoutMs: timeout, pins: { mode, approved } } }
  const checked = declared.map((entry) => {
    const within = replaced.filter(({ path }) => entry.path.every((step, index) => path[index] === step))
    const secrets = within.map(({ value }) => value)
    return checkBackend({ ...entry, written: memberAt(written, entry.path), secrets }, checks)
  })
  return {
    names: declared.map(({ name }) => name),
    paths: new Map(declared.map(({ name, path }) => [name, path])),
    backends: checked.flatMap((entry) => (entry.kind === 'backend' ? [entry.backend] : [])),
    findings: [
      ...own.findings,
      ...most.findings,
      ...more.findings,
      ...checked.flatMap((entry) => (entry.kind === 'findings' ? entry.findings : [])),
    ],
  }
}
