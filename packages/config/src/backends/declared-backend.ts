import type { JsonObject } from '@junctor/jsonrpc'
import { isName } from '@junctor/protocol'
import type { Finding, Path } from '../problem.ts'
import { illegalName } from '../schema/values.ts'

/** A backend as the file has it, under `backends` or `mcpServers`. */
export interface DeclaredBackend {
  readonly name: string
  /** Where it stands in the file. */
  readonly path: Path
  /** References are replaced. */
  readonly value: unknown
}

/** The backends of the section `backends`, whose names must be what they are going to be called. */
export function declaredBackends(section: JsonObject): {
  readonly backends: readonly DeclaredBackend[]
  readonly findings: readonly Finding[]
} {
  const backends = Object.entries(section).map(([name, value]) => ({ name, path: ['backends', name], value }))
  const findings = backends.filter(({ name }) => !isName(name)).map(({ name, path }) => illegalName(path, name))
  return { backends, findings }
}
