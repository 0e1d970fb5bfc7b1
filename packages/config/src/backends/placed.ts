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
    const found = withPlacesIn(server, workspace) as JsonValue | undefined
    return isElsewhere && isJsonObject(found) && Object.hasOwn(found, 'command') ? { cwd: workspace, ...found } : found
  }
  const sections = foreignSections(written).flatMap((word) => {
    const section = written[word]
    if (!isJsonObject(section)) return []
    return [[word, Object.fromEntries(Object.entries(section).map(([name, server]) => [name, place(server)]))] as const]
  })
  return { ...written, ...Object.fromEntries(sections) }
}
