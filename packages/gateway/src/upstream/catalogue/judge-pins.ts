import { isJsonObject, type JsonObject, type Payload } from '@junctor/jsonrpc'
import { judgeTool, type ToolApproval } from '@junctor/protocol'
import type { ToolPins } from '../../shared/backend-entry.ts'

/** A tool that is not as it was approved. */
export interface UnapprovedTool {
  /** The backend's own name. */
  readonly name: string
  readonly approval: Exclude<ToolApproval, { kind: 'approved' }>
  /** Whether clients still see it. */
  readonly shown: boolean
}

/** The tools that clients see, and those that are not approved. */
export interface JudgedTools {
  readonly tools: readonly Payload[]
  readonly unapproved: readonly UnapprovedTool[]
}

/**
 * Compares the tools of a backend with the approved definitions, so that a server cannot change what a tool says after
 * a person has looked at it. The tools have names: `judgeList` was there first.
 *
 * @param pins `undefined`: every tool is shown
 */
export function judgePins(tools: readonly Payload[], pins: ToolPins | undefined): JudgedTools {
  if (pins === undefined) return { tools, unapproved: [] }
  const shown: Payload[] = []
  const unapproved: UnapprovedTool[] = []
  for (const tool of tools) {
    const value = definitionOf(tool)
    const approval = judgeTool(value, pins.approved)
    const isShown = approval.kind === 'approved' || pins.mode === 'warn'
    if (isShown) shown.push(tool)
    if (approval.kind !== 'approved') unapproved.push({ name: nameOf(value), approval, shown: isShown })
  }
  return { tools: shown, unapproved }
}

/** The most tools that are named in a log line or a status. */
const named = 10

/** The tools that are not approved, one line each: `tool forecast: its description has changed; not shown`. */
export function unapprovedTexts(tools: readonly UnapprovedTool[]): readonly string[] {
  const texts = tools.slice(0, named).map(({ name, approval, shown }) => {
    const why = approval.kind === 'new' ? 'it is new' : `its ${approval.members.join(' and ')} changed`
    return `tool ${name}: nobody has approved it: ${why}; ${shown ? 'shown all the same' : 'not shown'}`
  })
  return tools.length > named ? [...texts, `and ${tools.length - named} more tools that nobody has approved`] : texts
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : ''
}

function definitionOf(tool: Payload): JsonObject {
  const value = tool.value()
  return isJsonObject(value) ? value : {}
}
