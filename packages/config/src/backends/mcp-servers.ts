import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import type { Finding } from '../problem.ts'
import type { DeclaredBackend } from './declared-backend.ts'

/** What other programs call a member that we call something else. */
const otherWords: Readonly<Record<string, string>> = { serverUrl: 'url', httpUrl: 'url' }

/** The members that say how a server is reached. The rest is for the program whose file it is. */
const reachedBy = ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const

/**
 * The backends in a file of Claude Desktop, Cursor or another client: `mcpServers`. A server that is switched off there
 * (`disabled`) is left out.
 *
 * Names are made legal: lower case, and a dash for whatever else is in them. Two that become the same are a finding.
 */
export function mcpServers(
  section: JsonObject,
  taken: readonly string[],
): { readonly backends: readonly DeclaredBackend[]; readonly findings: readonly Finding[] } {
  const names = new Set(taken)
  const backends: DeclaredBackend[] = []
  const findings: Finding[] = []
  for (const [written, server] of Object.entries(section)) {
    if (isJsonObject(server) && server['disabled'] === true) continue
    const name = legalName(written)
    const path = ['mcpServers', written]
    if (names.has(name)) {
      const got = `${JSON.stringify(written)}, which becomes ${name}`
      findings.push({ path, at: 'key', got, expected: 'a name that no other backend has', next: 'Rename one of them.' })
    } else {
      names.add(name)
      backends.push({ name, path, value: isJsonObject(server) ? reach(server) : server })
    }
  }
  return { backends, findings }
}

/** Letters with accents lose them; a name that has nothing to keep is told by its hash. */
export function legalName(written: string): string {
  const name = written
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '')
  return name === '' ? `server-${createHash('sha256').update(written).digest('hex').slice(0, 8)}` : name
}

function reach(server: JsonObject): JsonObject {
  const members = Object.entries(server).map(([word, value]) => [otherWords[word] ?? word, value] as const)
  const known = members.filter(([word]) => (reachedBy as readonly string[]).includes(word))
  // A word that is none of ours is kept only where it may be a slip of the one that is missing.
  return Object.fromEntries(known.some(([word]) => word === 'command' || word === 'url') ? known : members)
}
