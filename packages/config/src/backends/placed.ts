import { dirname, resolve } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { withTexts } from '../document/with-texts.ts'
import type { Path } from '../problem.ts'
import { foreignSections } from './foreign-sections.ts'
import { withPlaces, workspaceOf } from './workspace.ts'

/**
 * Returns a file with the servers of another program adapted to this machine: placeholders for places are replaced,
 * variables become our references, and a server that the other program starts in the project's folder is started there.
 * The rest of the file is unchanged.
 */
export function placed(written: JsonObject, file: string): JsonObject {
  const workspace = workspaceOf(file)
  const isElsewhere = workspace !== dirname(resolve(file))
  const adapt = (text: string, path: Path): string => {
    const local = withPlaces(text, workspace)
    return unread.some((word) => word === path[0]) ? local.replace(variable, '${env:$1}') : local
  }
  const place = (server: JsonValue | undefined): JsonValue | undefined => {
    const found = withTexts(server, adapt) as JsonValue | undefined
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
const unread = ['url', 'serverUrl', 'httpUrl', 'headers', 'env'] as const

/**
 * `${NAME}` and `${NAME:-default}`, as Claude Code writes the name of an environment variable. Our references have no
 * defaults: a variable that is not set is a problem.
 */
const variable = /\$\{([A-Z_][A-Z0-9_]*)(?::-[^{}]*)?\}/g
