import { printable } from '@junctor/primitives'
import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import { typesOf } from './typed-value.ts'
import { createPaint } from '../report/paint.ts'

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: unknown
}

/** The most characters of a description that are shown. */
const shownDescription = 100

/** Tools for people: name, arguments, and the first line of the description. Optional arguments are in brackets. */
export function toolsText(tools: readonly ListedTool[], color: boolean): string {
  const paint = createPaint(color)
  return tools
    .map(
      (tool) =>
        `${paint('bold', printable(tool.name))}${argumentsText(tool.inputSchema as JsonValue)}\n${described(tool)}`,
    )
    .join('')
}

function described({ description = '' }: ListedTool): string {
  const [line = ''] = description.trim().split('\n')
  if (line === '') return ''
  return `  ${printable(line, shownDescription - 1)}\n`
}

/** The arguments of a tool, from its schema: ` path=string [head=number]`. Empty: it has none. */
export function argumentsText(schema: JsonValue | undefined): string {
  const { properties, required } = isJsonObject(schema) ? schema : {}
  if (!isJsonObject(properties)) return ''
  const needed = Array.isArray(required) ? required : []
  const words = Object.entries(properties).map(([name, about]) => {
    const type = typesOf(about)?.join('|') ?? 'any'
    const word = printable(`${name}=${type}`)
    return needed.includes(name) ? ` ${word}` : ` [${word}]`
  })
  return words.join('')
}
