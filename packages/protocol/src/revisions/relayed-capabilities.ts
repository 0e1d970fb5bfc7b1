import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { mcpExtensions } from '../mcp-extensions.ts'
import type { Revision } from '../revision.ts'
import { declares } from './declares.ts'
import { allows } from './gates.ts'
import { viewTypes } from './received-capabilities.ts'

/** What servers can ask clients for, with the parts that the specification defines. */
const questions: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  roots: ['listChanged'],
  sampling: ['context', 'tools'],
}

/**
 * The part of a client's capabilities that is declared to backends: what they can ask it for, and its extensions
 * (`receivedCapabilities`). All else stays here, because links and lists are kept for each set of capabilities: there must
 * not be many.
 */
export function relayedCapabilities(capabilities: JsonObject): JsonObject {
  const picked: Record<string, JsonValue> = {}
  for (const [name, parts] of Object.entries(questions)) {
    const declared = capabilities[name]
    if (!isJsonObject(declared)) continue
    const kept = parts.filter((part) => isJsonObject(declared[part]) || declared[part] === true)
    picked[name] = Object.fromEntries(kept.map((part) => [part, declared[part] === true || {}]))
  }
  const { extensions } = capabilities
  if (!isJsonObject(extensions)) return picked
  // The gateway itself takes the tasks of backends.
  const { [mcpExtensions.tasks]: _tasks, ...rest } = extensions
  return Object.keys(rest).length === 0 ? picked : { ...picked, extensions: rest }
}

/** What a link declares that several clients share: views do no harm to a client that shows none (MCP Apps, "Fallback"). */
export const sharedCapabilities: JsonObject = {
  extensions: { [mcpExtensions.apps]: { mimeTypes: viewTypes.slice(0, 1) } },
}

/** Whether a client has declared anything that servers can ask it for. */
export function canBeAsked(capabilities: JsonObject): boolean {
  return Object.keys(questions).some((name) => isJsonObject(capabilities[name]))
}

/** Whether a client of 2026-07-28 takes a task in place of a result (SEP-2663). Older revisions have other tasks. */
export function takesTasks(capabilities: JsonObject, revision: Revision): boolean {
  return allows(revision, 'taskExtension') && declares(capabilities, ['extensions', mcpExtensions.tasks])
}

/** Whether a client shows the views of MCP Apps. */
export function showsViews(capabilities: JsonObject): boolean {
  return declares(capabilities, ['extensions', mcpExtensions.apps])
}
