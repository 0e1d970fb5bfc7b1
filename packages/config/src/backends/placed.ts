import { dirname, resolve } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { foreignSections } from './foreign-sections.ts'
import { withPlacesIn, workspaceOf } from './workspace.ts'

/**
 * Returns a file with the servers of another program adapted to this machine: placeholders for places are replaced, and
 * a server that the other program starts in the project's folder is started there. The rest of the file is unchanged.
 */
export function placed(written: JsonObject, file: string): JsonObject {
  const workspace = workspaceOf(file)
  const isElsewhere = workspace !== dirname(resolve(file))
  const place = (server: JsonValue | undefined): JsonValue | undefined => {
    const found = withVariables(withPlacesIn(server, workspace) as JsonValue | undefined)
    return isElsewhere && isJsonObject(found) && Object.hasOwn(found, 'command') ? { cwd: workspace, ...found } : found
  }
  const sections = foreignSections(written).flatMap((word) => {
    const section = written[word]
    if (!isJsonObject(section)) return []
    return [[word, Object.fromEntries(Object.entries(section).map(([name, server]) => [name, place(server)]))] as const]
  })
  return { ...written, ...Object.fromEntries(sections) }
}

/** The members of a server whose texts no program reads before the gateway uses them. */
const read = ['url', 'serverUrl', 'httpUrl', 'headers', 'env'] as const

/** `${NAME}` and `${NAME:-default}`, as Claude Code writes the name of an environment variable. */
const variable = /\$\{([A-Z_][A-Z0-9_]*)(?::-[^{}]*)?\}/g

/** Replaces variables by our references. They have no defaults: a variable that is not set is a problem. */
function withVariables(server: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(server)) return server
  const replaced = (value: JsonValue | undefined): JsonValue | undefined => {
    if (typeof value === 'string') return value.replace(variable, '${env:$1}')
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member)]))
  }
  const members = Object.entries(server).map(
    ([word, value]) => [word, (read as readonly string[]).includes(word) ? replaced(value) : value] as const,
  )
  return Object.fromEntries(members)
}
