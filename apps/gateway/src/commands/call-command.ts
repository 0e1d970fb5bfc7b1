import { readFileSync } from 'node:fs'
import { printable } from '@junctor/primitives'
import { isJsonObject, type JsonObject, parseExactly } from '@junctor/jsonrpc'
import { Command, InvalidArgumentError, Option } from 'commander'
import { exitCodes } from '@junctor/command/exit'
import type { CallOptions } from '../client/run-call.ts'
import { withClientOptions } from './client-options.ts'
import { durationOption } from './duration-option.ts'

const help = `
The tool's schema gives the type of a value: text, number, true or false, JSON for objects and lists.
key=@file reads the content of a file; key=@@text is text that begins with @.
The result goes to standard output; progress and questions, on a terminal, to standard error.

Examples:
  junctor call demo__add a=2 b=3
  junctor call files__read_text_file path=notes.txt --config servers.json
  junctor call demo__image --save picture.png
  junctor call search__find --args '{"query":"gateways"}' --url http://127.0.0.1:3000/mcp --json

Exit codes:
  ${exitCodes.done}  the tool has answered
  ${exitCodes.failed}  the tool answered with an error, or could not be called
  ${exitCodes.usage}  the command line cannot be used, there is no such tool, or its arguments are wrong
  ${exitCodes.config}  the configuration cannot be used`

/** `junctor call`. */
export function createCallCommand(process: NodeJS.Process): Command {
  return withClientOptions(new Command('call').description('call a tool'))
    .argument('<tool>', 'name of the tool, as "junctor tools" prints it')
    .argument('[key=value...]', 'arguments of the tool')
    .option('--args <json>', 'arguments as a JSON object, @file or - (standard input); key=value wins', jsonObject)
    .option(
      '--save <file>',
      'write the image, audio or blob of the result to this file; further ones to FILE-2 and so on',
    )
    .addOption(
      new Option('--timeout <duration>', 'how long to wait for an answer or for progress')
        .argParser(durationOption)
        .default(300_000, '5m'),
    )
    .addHelpText('after', help)
    .action(async (tool: string, words: readonly string[], options: CallOptions) => {
      const { runCall } = await import('../client/run-call.ts')
      await runCall(process, { tool, words }, options)
    })
}

/** The typed text, or the content of the file that it names: `@file`, or `-` for standard input. */
function given(text: string): string {
  if (text !== '-' && !text.startsWith('@')) return text
  try {
    return readFileSync(text === '-' ? 0 : text.slice(1), 'utf8')
  } catch (error) {
    throw new InvalidArgumentError(`Expected a file that can be read, got ${text}: ${(error as Error).message}.`)
  }
}

function jsonObject(text: string): JsonObject {
  const read = given(text)
  const expected = `Expected a JSON object, as in '{"a":1}'`
  let value: unknown
  try {
    value = parseExactly(read)
  } catch (error) {
    throw new InvalidArgumentError(printable(`${expected}: ${(error as Error).message}.`))
  }
  if (isJsonObject(value)) return value
  throw new InvalidArgumentError(`${expected}, got ${Array.isArray(value) ? 'a list' : printable(read, 40)}.`)
}
