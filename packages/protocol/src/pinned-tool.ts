import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { sameJson } from './revisions/same-json.ts'

/** What a model reads of a tool besides its name. Icons and `_meta` are for programs, and change with each release. */
const pinnedMembers = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** The definitions of one backend that a person has approved, by the backend's own names of its tools. */
export type ApprovedTools = Readonly<Record<string, JsonObject>>

/** A tool beside its approved definition. `changed` names the members that differ. */
export type ToolApproval =
  | { readonly kind: 'approved' }
  | { readonly kind: 'new' }
  | { readonly kind: 'changed'; readonly members: readonly string[] }

/** The part of a tool's definition that is approved: title, description, both schemas and annotations. */
export function pinnedTool(tool: JsonObject): JsonObject {
  return Object.fromEntries(pinnedMembers.flatMap((name) => (tool[name] === undefined ? [] : [[name, tool[name]]])))
}

/**
 * Compares a tool with the definitions that a person has approved. The order of members does not count. A tool under
 * another name is a new tool.
 */
export function judgeTool(tool: JsonObject, approved: ApprovedTools): ToolApproval {
  const { name } = tool
  const before = typeof name === 'string' && Object.hasOwn(approved, name) ? approved[name] : undefined
  if (!isJsonObject(before)) return { kind: 'new' }
  const members = pinnedMembers.filter((member) => !sameJson(tool[member], before[member]))
  return members.length === 0 ? { kind: 'approved' } : { kind: 'changed', members }
}
