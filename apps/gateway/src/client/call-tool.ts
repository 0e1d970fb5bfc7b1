import { readFileSync } from 'node:fs'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { suggest } from '@junctor/config'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import type { Failure } from '@junctor/command'
import type { ReportedProgress } from '../report/progress-text.ts'
import { readArguments } from './call-arguments.ts'
import { listedTools } from './listed-tools.ts'
import type { GatewayClient } from './open-client.ts'
import { argumentsText } from './tools-text.ts'

/** A call as the user typed it. */
export interface TypedCall {
  readonly tool: string
  /** `key=value`. */
  readonly words: readonly string[]
  /** Arguments as JSON; words override them. */
  readonly base: JsonObject
}

/** How long a call may take, and who follows its progress. */
export interface CallLimits {
  /** How long to wait for the answer, or for progress, in milliseconds. */
  readonly timeoutMs: number
  /** Cancels the call. */
  readonly signal: AbortSignal
  readonly progress: (update: ReportedProgress) => void
}

/** The result of a tool, or why there is none. */
export type ToolCalled =
  | { readonly kind: 'answered'; readonly result: CallToolResult }
  /** The tool was not called: it does not exist, or the arguments are not valid. */
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Calls a tool if the call is valid. Rejects when there is no answer, or the answer is an error. */
export async function callTool(
  { client }: Pick<GatewayClient, 'client'>,
  { tool: name, words, base }: TypedCall,
  { timeoutMs, signal, progress }: CallLimits,
): Promise<ToolCalled> {
  const tools = await listedTools(client, signal)
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined) return refused(...unknownTool(name, tools))
  const schema = tool.inputSchema as JsonValue
  const read = readArguments(words, schema, base, (file) => readFileSync(file, 'utf8'))
  if (read.kind === 'bad') {
    const takes = argumentsText(schema)
    const next = takes === '' ? 'It takes no arguments.' : `It takes${takes}`
    return refused(`${name}: ${read.message}`, next)
  }
  const options = { timeout: timeoutMs, resetTimeoutOnProgress: true, signal, onprogress: progress }
  return { kind: 'answered', result: await client.callTool({ name, arguments: { ...read.value } }, options) }
}

function unknownTool(name: string, tools: readonly { readonly name: string }[]): readonly [string, string] {
  const message = `there is no tool ${JSON.stringify(name)}`
  if (tools.length === 0) return [message, 'There are none at all: see why with "junctor check" or "junctor status".']
  const names = tools.map((tool) => tool.name)
  const near = names.filter((known) => isWithoutPrefix(name, known)).slice(0, 3)
  const [first = suggest(name, names), ...others] = near
  if (first === undefined) return [message, 'See what there is with "junctor tools".']
  return [message, `Is it ${[first, ...others].join(' or ')}?`]
}

/** Whether the known name is this one behind the prefix of a backend. */
function isWithoutPrefix(name: string, known: string): boolean {
  return known.endsWith(name) && /[^a-z0-9]$/i.test(known.slice(0, -name.length))
}

function refused(message: string, next: string): ToolCalled {
  return { kind: 'refused', failure: { message, next } }
}
