import type { JsonObject } from '@junctor/jsonrpc'
import { checkBackend } from '../backends/check-backend.ts'
import type { ConfigurablePlugin } from '../backends/configurable-plugin.ts'
import { declaredBackends } from '../backends/declared-backend.ts'
import { mcpServers } from '../backends/mcp-servers.ts'
import type { BackendConfig } from '../config.ts'
import { memberAt } from '../findings/member-at.ts'
import type { Finding } from '../problem.ts'
import type { Sections } from '../schema/sections.ts'

export interface CheckedBackends {
  /** All that the file declares, faulty ones included: others may refer to them. */
  readonly names: readonly string[]
  readonly backends: readonly BackendConfig[]
  readonly findings: readonly Finding[]
}

/** Checks the backends of `backends` and `mcpServers`. */
export function checkBackends(
  { backends = {}, mcpServers: servers = {}, timeout = 0 }: Partial<Sections>,
  written: JsonObject,
  plugins: readonly ConfigurablePlugin[],
): CheckedBackends {
  const own = declaredBackends(backends)
  const foreign = mcpServers(servers, Object.keys(backends))
  const declared = [...own.backends, ...foreign.backends]
  const checked = declared.map((entry) => checkBackend(entry, memberAt(written, entry.path), plugins, timeout))
  return {
    names: declared.map(({ name }) => name),
    backends: checked.flatMap((entry) => (entry.kind === 'backend' ? [entry.backend] : [])),
    findings: [
      ...own.findings,
      ...foreign.findings,
      ...checked.flatMap((entry) => (entry.kind === 'findings' ? entry.findings : [])),
    ],
  }
}
