import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { printable } from '@junctor/primitives'
import type { ChangedMember, ComparedTool } from './compare-pins.ts'
import { createPaint, type Paint } from '../report/paint.ts'

/** What a backend offers, beside what was approved. */
export interface ComparedBackend {
  readonly name: string
  readonly tools: readonly ComparedTool[]
}

/**
 * The tools that are not as they were approved, with every word that differs, and a count of the others. Texts of
 * backends are escaped, and never cut: a person would approve the omitted part unread.
 */
export function pinsText({ name, tools }: ComparedBackend, color: boolean): string {
  const paint = createPaint(color)
  const well = tools.filter(({ state }) => state === 'approved').length
  const head = `${paint('bold', name)}  ${well} of ${tools.length} ${tools.length === 1 ? 'tool is' : 'tools are'} as approved`
  return [head, ...tools.flatMap((tool) => toolLines(tool, paint)), ''].join('\n')
}

function toolLines(tool: ComparedTool, paint: Paint): readonly string[] {
  const name = printable(tool.name)
  if (tool.state === 'new') return [`  ${paint('yellow', 'new')}      ${name}`, ...added(tool.offered, paint)]
  if (tool.state !== 'changed') return tool.state === 'gone' ? [`  ${paint('yellow', 'gone')}     ${name}`] : []
  return [`  ${paint('red', 'changed')}  ${name}`, ...tool.changes.flatMap((change) => changeLines(change, paint))]
}

function changeLines({ member, approved, offered }: ChangedMember, paint: Paint): readonly string[] {
  return [
    ...(approved === undefined ? [] : [paint('red', `    - ${member}: ${shown(approved)}`)]),
    ...(offered === undefined ? [] : [paint('green', `    + ${member}: ${shown(offered)}`)]),
  ]
}

function added(tool: JsonObject, paint: Paint): readonly string[] {
  return Object.entries(tool).map(([member, value]) => paint('green', `    + ${member}: ${shown(value)}`))
}

function shown(value: JsonValue | undefined): string {
  return printable(JSON.stringify(value), Infinity)
}
