import { dirname, resolve } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { foreignSections } from './foreign-sections.ts'
import { withPlacesIn, workspaceOf } from './workspace.ts'

/**
 * A file with the servers of another program put in their place: names for places on this machine are replaced, and what
 * that program starts in the project's folder is started there. Nothing else in the file changes.
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
