import { styleText } from 'node:util'
import { isJsonObject } from '@junctor/jsonrpc'

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: unknown
}

/** Characters of a description that are shown. */
const shownDescription = 100

/** Tools for people: name, arguments, and the first line of the description. Arguments that may be left out stand in brackets. */
export function toolsText(tools: readonly ListedTool[], color: boolean): string {
  const bold = (text: string): string => (color ? styleText('bold', text, { validateStream: false }) : text)
  return tools.map((tool) => `${bold(tool.name)}${argumentsText(tool.inputSchema)}\n${described(tool)}`).join('')
}

function described({ description = '' }: ListedTool): string {
  const [line = ''] = description.trim().split('\n')
  if (line === '') return ''
  return `  ${line.length > shownDescription ? `${line.slice(0, shownDescription - 1)}…` : line}\n`
}

function argumentsText(schema: unknown): string {
  const { properties, required } = isJsonObject(schema) ? schema : {}
  if (!isJsonObject(properties)) return ''
  const needed = Array.isArray(required) ? required : []
  const words = Object.entries(properties).map(([name, about]) => {
    const type = isJsonObject(about) && typeof about['type'] === 'string' ? about['type'] : 'any'
    return needed.includes(name) ? ` ${name}=${type}` : ` [${name}=${type}]`
  })
  return words.join('')
}
