import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import type { Finding, Path } from '../problem.ts'
import type { DeclaredBackend, DeclaredBackends } from './declared-backend.ts'
import type { ForeignSection } from './foreign-sections.ts'
import { isSwitchedOff } from './is-switched-off.ts'
import { legalName } from './legal-name.ts'

/** Words of other programs, with our word for the same member. */
const otherWords: Readonly<Record<string, string>> = { serverUrl: 'url', httpUrl: 'url' }

/** The members that describe how a server is reached. The others are only for the program that owns the file. */
const reachedBy = { command: ['command', 'args', 'env', 'cwd'], url: ['url', 'headers'] } as const

/**
 * Returns the backends in a file of Claude Desktop, Cursor, VS Code or another client. A server that is
 * switched off there is left out.
 *
 * Names are made legal: lower case, and a dash for every other character. Two names that become equal are a finding.
 *
 * @param taken names that other backends have
 */
export function foreignServers(word: ForeignSection, section: JsonObject, taken: readonly string[]): DeclaredBackends {
  const names = new Set(taken)
  const backends: DeclaredBackend[] = []
  const findings: Finding[] = []
  for (const [written, server] of Object.entries(section)) {
    if (isJsonObject(server) && isSwitchedOff(server)) continue
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
  const chosen = (['command', 'url'] as const).filter((choice) => members.some(([word]) => word === choice))
  const known: readonly string[] = chosen.flatMap((choice) => reachedBy[choice])
  // An unknown word is kept only when `command` and `url` are missing, because it may be a typing error of one of them.
  return Object.fromEntries(chosen.length === 0 ? members : members.filter(([word]) => known.includes(word)))
}

/** Reports `envFile`. If it were ignored silently, the server would start without its variables. */
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
