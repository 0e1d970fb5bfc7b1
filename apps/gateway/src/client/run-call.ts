import type { JsonObject } from '@junctor/jsonrpc'
import { exitCodes } from '@junctor/command/exit'
import { printable, printableLines } from '@junctor/primitives'
import { failCommand } from '../report/fail-command.ts'
import { jsonText } from '../report/json-text.ts'
import { progressText } from '../report/progress-text.ts'
import { createTerminalLine } from '../report/terminal-line.ts'
import { callTool, type TypedCall } from './call-tool.ts'
import { resultText } from './result-text.ts'
import { cannotSave, type Saved, saveContent } from './save-content.ts'
import { type ClientOptions, useClient } from './use-client.ts'

/** What the user typed. */
export interface CallOptions extends ClientOptions {
  readonly args?: JsonObject
  readonly save?: string
  /** Milliseconds. */
  readonly timeout: number
}

/** Calls a tool, and prints or saves its result. */
export async function runCall(
  process: NodeJS.Process,
  call: Omit<TypedCall, 'base'>,
  { args = {}, timeout, save, ...options }: CallOptions,
): Promise<void> {
  const cannot = save === undefined ? undefined : cannotSave(save)
  if (cannot !== undefined) return failCommand(process, cannot, exitCodes.usage)
  return useClient(process, options, async (gateway, signal) => {
    const { stdout, stderr } = process
    const line = createTerminalLine(stderr)
    const called = await callTool(
      gateway,
      { ...call, base: args },
      { timeoutMs: timeout, signal, progress: (update) => line.show(progressText(update)) },
    ).finally(() => line.clear())
    if (called.kind === 'refused') return { code: exitCodes.usage, failure: called.failure }
    const { result } = called
    const { content, structuredContent, isError } = result
    const text = `${resultText(content, structuredContent)}\n`
    // A program or a file gets the text of a result as it is.
    const shown = stdout.isTTY ? printableLines(text) : text
    stdout.write(options.json === true ? jsonText(result) : shown)
    const { files, failure }: Saved = save === undefined ? { files: [] } : saveContent(content, save)
    for (const { file, type, size } of files) stderr.write(`Saved ${printable(`${file} (${type}, ${size} bytes)`)}\n`)
    const code = isError === true || failure !== undefined ? exitCodes.failed : exitCodes.done
    return { code, ...(failure && { failure }) }
  })
}
