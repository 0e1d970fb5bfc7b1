import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import type { Finding, Path } from '../problem.ts'
import type { DeclaredBackend } from './declared-backend.ts'
import type { ForeignSection } from './foreign-sections.ts'
import { legalName } from './legal-name.ts'

/** What other programs call a member that we call something else. */
const otherWords: Readonly<Record<string, string>> = { serverUrl: 'url', httpUrl: 'url' }

/** The members that say how a server is reached. The rest is for the program whose file it is. */
const reachedBy = ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const

/**
 * The backends in a file of Claude Desktop, Cursor, VS Code or another client. A server that is switched off there
 * (`disabled`) is left out.
 *
 * Names are made legal: lower case, and a dash for whatever else is in them. Two that become the same are a finding.
 *
 * @param taken names that other backends have
 */
export function foreignServers(
  word: ForeignSection,
  section: JsonObject,
  taken: readonly string[],
): { readonly backends: readonly DeclaredBackend[]; readonly findings: readonly Finding[] } {
  const names = new Set(taken)
  const backends: DeclaredBackend[] = []
  const findings: Finding[] = []
  for (const [written, server] of Object.entries(section)) {
    if (isJsonObject(server) && server['disabled'] === true) continue
    const name = legalName(written)
    const path = [word, written]
    if (names.has(name)) {
      const got = `${JSON.stringify(written)}, which becomes ${name}`
      const next = 'Rename one of them.'
      findings.push({ kind: 'name_taken', path, at: 'key', got, expected: 'a name that no other backend has', next })
    } else {
      names.add(name)
      backends.push({ name, path, value: isJsonObject(server) ? reach(server) : server })
    }
    if (isJsonObject(server) && server['envFile'] !== undefined) findings.push(envFile(path))
  }
  return { backends, findings }
}

function reach(server: JsonObject): JsonObject {
  const members = Object.entries(server).map(([word, value]) => [otherWords[word] ?? word, value] as const)
  const known = members.filter(([word]) => (reachedBy as readonly string[]).includes(word))
  // A word that is none of ours is kept only where it may be a slip of the one that is missing.
  return Object.fromEntries(known.some(([word]) => word === 'command' || word === 'url') ? known : members)
}

/** Left out in silence, it would be missed by a server that was started without what it needs. */
function envFile(above: Path): Finding {
  return {
    kind: 'env_file',
    path: [...above, 'envFile'],
    at: 'key',
    got: 'a file of variables',
    expected: 'the variables under env',
    next: 'Write each of them as NAME: ${env:NAME} under env, and set them before starting.',
  }
}
