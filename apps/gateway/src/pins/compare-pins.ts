import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { type ApprovedTools, judgeTool, pinnedTool } from '@junctor/protocol'

/** A part of a tool's definition, as approved and as it is. `undefined`: it is not there. */
export interface ChangedMember {
  readonly member: string
  readonly approved: JsonValue | undefined
  readonly offered: JsonValue | undefined
}

/** A tool of a backend beside its approved definition. `gone`: approved, and not offered any more. */
export type ComparedTool =
  | { readonly name: string; readonly state: 'approved' | 'gone' }
  | { readonly name: string; readonly state: 'new'; readonly offered: JsonObject }
  | { readonly name: string; readonly state: 'changed'; readonly changes: readonly ChangedMember[] }

/** Compares what a backend offers with what was approved: the offered tools in their order, then those that are gone. */
export function comparePins(offered: readonly JsonObject[], approved: ApprovedTools): readonly ComparedTool[] {
  const names = new Set(offered.map(nameOf))
  return [
    ...offered.map((tool) => compareTool(tool, approved)),
    ...Object.keys(approved).flatMap((name) => (names.has(name) ? [] : [{ name, state: 'gone' as const }])),
  ]
}

/**
 * The approved definitions after an approval.
 *
 * @param only the tools that are approved, or forgotten if they are gone; empty: all
 */
export function approve(
  offered: readonly JsonObject[],
  approved: ApprovedTools,
  only: readonly string[],
): ApprovedTools {
  const now = Object.fromEntries(offered.map((tool) => [nameOf(tool), pinnedTool(tool)]))
  if (only.length === 0) return now
  const others = Object.entries(approved).filter(([name]) => !only.includes(name))
  return Object.fromEntries([...others, ...Object.entries(now).filter(([name]) => only.includes(name))])
}

function compareTool(tool: JsonObject, approved: ApprovedTools): ComparedTool {
  const name = nameOf(tool)
  const found = judgeTool(tool, approved)
  if (found.kind === 'approved') return { name, state: 'approved' }
  if (found.kind === 'new') return { name, state: 'new', offered: pinnedTool(tool) }
  const before = approved[name] ?? {}
  const changes = found.members.map((member) => ({ member, approved: before[member], offered: tool[member] }))
  return { name, state: 'changed', changes }
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : ''
}
