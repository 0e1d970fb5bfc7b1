import type { JsonObject } from '@junctor/jsonrpc'
import { isName } from '@junctor/protocol'
import type { Finding, Path } from '../problem.ts'
import { illegalName } from '../schema/values.ts'

/** A backend as the file has it, under `backends` or `mcpServers`. */
export interface DeclaredBackend {
  readonly name: string
  /** Its position in the file. */
  readonly path: Path
  /** The value, with replaced references. */
  readonly value: unknown
}

/** The backends of a section, and what is wrong with their names. */
export interface DeclaredBackends {
  readonly backends: readonly DeclaredBackend[]
  readonly findings: readonly Finding[]
}

/** Returns the backends of the section `backends`. Their names are used unchanged, so an illegal name is a finding. */
export function declaredBackends(section: JsonObject): DeclaredBackends {
  const backends = Object.entries(section).map(([name, value]) => ({ name, path: ['backends', name], value }))
  const findings = backends.filter(({ name }) => !isName(name)).map(({ name, path }) => illegalName(path, name))
  return { backends, findings }
}
