import { dirname, resolve } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { legalName } from '../backends/legal-name.ts'
import { workspaceOf } from '../backends/workspace.ts'
import { blankComments } from '../document/blank-comments.ts'
import { readDocument } from '../document/document.ts'
import { memberAt } from '../findings/member-at.ts'
import { type Path, pathText } from '../problem.ts'
import type { NotImported } from './foreign-text.ts'
import { type ImportSource, importServer } from './import-server.ts'

/** What a foreign file with `mcpServers` becomes. */
export interface ImportedServers {
  /** The backends as our file has them under `backends`. */
  readonly backends: JsonObject
  /** The parts of the file that were not imported, or were changed. */
  readonly left: readonly NotImported[]
}

/** The sections with servers: Claude, Cursor, Windsurf, Cline, Gemini; VS Code, new and old; Zed. */
const sections: readonly Path[] = [['mcpServers'], ['servers'], ['mcp', 'servers'], ['context_servers']]

/**
 * Imports the servers of another program's file: JSON, also with comments and trailing commas, or YAML.
 *
 * @param file the name of the file, which determines the folder its program works in; the file itself is not read
 * @param project the folder whose own servers are imported from a file that has servers by folder, as that of Claude
 *   Code
 */
export function importServers(text: string, file: string, project: string): ImportedServers {
  if (/\.toml$/i.test(file)) return { backends: {}, left: [{ what: file, why: 'it is TOML: expected JSON or YAML' }] }
  // In YAML, // is a part of most URLs.
  const read = readDocument(/\.ya?ml$/i.test(file) ? text : blankComments(text))
  if (read.kind === 'unreadable') {
    const left = read.problems.map(({ position: { line, column }, got, expected }) => {
      return { what: `${file}:${line}:${column}`, why: `it cannot be read: got ${got}, expected ${expected}` }
    })
    return { backends: {}, left }
  }
  const { value } = read.document
  const servers = [...sections, ['projects', project, 'mcpServers']].flatMap((path) => serversIn(value, path))
  if (servers.length === 0) {
    const words = sections.map((path) => pathText(path)).join(', ')
    return { backends: {}, left: [{ what: file, why: `it has no servers: expected one of ${words}` }] }
  }
  const workspace = workspaceOf(file)
  const startsInWorkspace = workspace !== dirname(resolve(file))
  const source: ImportSource = { workspace, startsInWorkspace, prompts: promptsOf(value) }
  const backends: Record<string, JsonObject> = {}
  const left: NotImported[] = []
  for (const { name, path, server } of servers) {
    const ofProject = path[0] === 'projects'
    const imported = importServer(
      server,
      path,
      ofProject ? { ...source, workspace: project, startsInWorkspace: true } : source,
    )
    left.push(...imported.left)
    if (imported.backend === undefined) continue
    const free = freeName(legalName(name), Object.keys(backends))
    if (free !== legalName(name)) {
      left.push({ what: pathText(path), why: `another one has its name: it is ${free} here` })
    }
    backends[free] = imported.backend
  }
  return { backends, left: distinct(left) }
}

/** Returns the servers of a section: a mapping by name, or a list as Continue has it. */
function serversIn(
  file: unknown,
  section: Path,
): readonly { readonly name: string; readonly path: Path; readonly server: JsonValue | undefined }[] {
  const servers = memberAt(file, section) as JsonValue | undefined
  if (!Array.isArray(servers)) {
    const entries = isJsonObject(servers) ? Object.entries(servers) : []
    return entries.map(([name, server]) => ({ name, path: [...section, name], server }))
  }
  return servers.map((server, index) => {
    const name = memberAt(server, ['name'])
    return { name: typeof name === 'string' ? name : String(index + 1), path: [...section, index], server }
  })
}

/** Returns the prompts for which VS Code asks its users. */
function promptsOf(value: unknown): ReadonlyMap<string, string> {
  const inputs = memberAt(value, ['inputs']) ?? memberAt(value, ['mcp', 'inputs'])
  const asked = (Array.isArray(inputs) ? inputs : []).flatMap((input: unknown): [string, string][] => {
    const [id, description] = [memberAt(input, ['id']), memberAt(input, ['description'])]
    return typeof id === 'string' && typeof description === 'string' ? [[id, description]] : []
  })
  return new Map(asked)
}

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  const tries = Array.from({ length: taken.length + 1 }, (_, index) => `${name.slice(0, 60)}-${index + 2}`)
  return tries.find((candidate) => !taken.includes(candidate)) ?? name
}

/** Removes repeated entries, because one variable may occur in several places. */
function distinct(left: readonly NotImported[]): readonly NotImported[] {
  return [...new Map(left.map((entry) => [`${entry.what}\n${entry.why}`, entry])).values()]
}
