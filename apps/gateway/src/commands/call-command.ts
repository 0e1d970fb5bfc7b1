import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { Command, InvalidArgumentError } from 'commander'
import { suggest } from '@junctor/config'
import { readArguments } from '../client/call-arguments.ts'
import { clientFailure } from '../client/client-failure.ts'
import { type GatewayClient, openClient } from '../client/open-client.ts'
import { resultText } from '../client/result-text.ts'
import { exitCodes } from '../exit-codes.ts'
import { progressText } from '../report/progress-text.ts'
import type { Failure } from '../report/report.ts'
import { createTerminalLine } from '../report/terminal-line.ts'
import { createTextReport } from '../report/text-report.ts'
import { type ClientOptions, withClientOptions } from './client-options.ts'

interface CallOptions extends ClientOptions {
  readonly args?: JsonObject
  /** Seconds. */
  readonly timeout: number
}

const help = `
Values are what the tool's schema says: text, numbers, true or false, JSON for objects and lists.
key=@file takes the content of a file; key=@@text is text that begins with @.
The result goes to standard output; progress, on a terminal, to standard error.

Examples:
  junctor call demo__add a=2 b=3
  junctor call files__read_text_file path=notes.txt --config servers.json
  junctor call search__find --args '{"query":"gateways"}' --url http://127.0.0.1:3000/mcp --json

Exit codes:
  ${exitCodes.done}  the tool has answered
  ${exitCodes.failed}  it answered with an error, or could not be called
  ${exitCodes.usage}  the command line cannot be used, or the arguments are not the tool's`

/** `junctor call`. */
export function createCallCommand(process: NodeJS.Process): Command {
  return withClientOptions(new Command('call').description('call a tool'))
    .argument('<tool>', 'its name, as "junctor tools" shows it')
    .argument('[key=value...]', 'its arguments')
    .option('--args <json>', 'arguments as a JSON object; key=value words come on top', jsonObject)
    .option('--timeout <seconds>', 'how long to wait for the answer', seconds, 300)
    .addHelpText('after', help)
    .action(async (tool: string, words: readonly string[], options: CallOptions) => {
      const { stderr } = process
      const report = createTextReport(stderr, stderr.isTTY && stderr.hasColors())
      try {
        const gateway = await openClient(options, process.argv[1] ?? '')
        try {
          const called = await call(gateway, tool, words, options, process)
          if (called.kind === 'refused') report.failed(called.failure)
          process.exitCode = called.code
        } finally {
          await gateway.close()
        }
      } catch (error) {
        report.failed(clientFailure(error, options.url))
        process.exitCode = exitCodes.failed
      }
    })
}

type Called =
  | { readonly kind: 'answered'; readonly code: number }
  | { readonly kind: 'refused'; readonly code: number; readonly failure: Failure }

async function call(
  { client }: GatewayClient,
  name: string,
  words: readonly string[],
  options: CallOptions,
  { stdout, stderr }: NodeJS.Process,
): Promise<Called> {
  const { tools } = await client.listTools()
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined)
    return refused(
      unknownTool(
        name,
        tools.map((candidate) => candidate.name),
      ),
    )
  const read = readArguments(words, tool.inputSchema, options.args ?? {}, (file) => readFileSync(file, 'utf8'))
  if (read.kind === 'bad') {
    return refused({ message: `${name}: ${read.message}`, next: 'See its arguments with "junctor tools".' })
  }
  const progress = createTerminalLine(stderr)
  const result = await client
    .callTool(
      { name, arguments: { ...read.value } },
      {
        timeout: options.timeout * 1000,
        resetTimeoutOnProgress: true,
        ...(stderr.isTTY && { onprogress: (update) => progress.show(progressText(update)) }),
      },
    )
    .finally(() => progress.clear())
  const text = resultText(result.content, result.structuredContent)
  stdout.write(`${options.json === true ? JSON.stringify(result, null, 2) : text}\n`)
  return { kind: 'answered', code: result.isError === true ? exitCodes.failed : exitCodes.done }
}

function refused(failure: Failure): Called {
  return { kind: 'refused', code: exitCodes.usage, failure }
}

function unknownTool(name: string, known: readonly string[]): Failure {
  const near = suggest(name, known)
  const message = `there is no tool ${JSON.stringify(name)}`
  return { message, next: near === undefined ? 'See what there is with "junctor tools".' : `Is it ${near}?` }
}

function jsonObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as unknown
    if (isJsonObject(value)) return value
  } catch {
    // Told below, in the same words.
  }
  throw new InvalidArgumentError(`Expected a JSON object, as in '{"a":1}'.`)
}

function seconds(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('Expected a number of seconds above 0.')
}
