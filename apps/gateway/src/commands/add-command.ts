import { exitCodes } from '@junctor/command/exit'
import { isName } from '@junctor/protocol'
import { Command, InvalidArgumentError, Option } from 'commander'
import { collected } from './collected.ts'
import { listsTimeoutOption } from './lists-timeout-option.ts'

const help = `
TARGET is the name of a server in the registry, a server.json, a URL, or a program with its arguments.
Put options before a program: all words after its name belong to the program.
Shows what will be written and run, and asks. Without a terminal it needs --yes.
A secret is given by reference: '\${env:NAME}' or '\${file:path}'; --input NAME alone is '\${env:NAME}'.

Examples:
  junctor add io.github.acme/weather
  junctor add io.github.acme/weather --version 1.2.0 --input API_KEY --yes
  junctor add ./server.json --name weather
  junctor add https://mcp.example.com/mcp
  junctor add npx -y @modelcontextprotocol/server-filesystem .

Exit codes:
  ${exitCodes.done}  the backend was added, and works
  ${exitCodes.failed}  nothing was added
  ${exitCodes.usage}  the command line cannot be used: an input is missing, or --yes
  ${exitCodes.config}  the backend was added, and the configuration cannot be used
  ${exitCodes.backend}  the backend was added, and cannot be used`

const officialRegistry = 'https://registry.modelcontextprotocol.io'

/** `junctor add`. */
export function createAddCommand(process: NodeJS.Process): Command {
  const command = new Command('add')
    .description('add a server of the MCP registry, a URL or a program to the configuration')
    .argument('<target...>', 'name, server.json, URL, or program with arguments')
    .option('-c, --config <file>', 'the configuration; default: the one in this folder, else a new junctor.yaml')
    .option('--name <name>', 'name of the backend; default: from the target', backendName)
    .option('--version <version>', 'version of the server; default: the latest one')
    .addOption(
      new Option('--registry <url>', 'another registry')
        .env('JUNCTOR_REGISTRY_URL')
        .argParser(baseUrl)
        .default(officialRegistry),
    )
    .option('--choice <number>', 'the way to use the server, if it has several', wholeNumber)
    .option('--input <name=value>', 'a value that the server needs; may be repeated', collected)
    .option('-y, --yes', 'ask nothing')
    .addOption(listsTimeoutOption('how long to wait for its lists'))
    .passThroughOptions()
    .addHelpText('after', help)
  return command.action(async (words: readonly string[]) => {
    const { runAdd } = await import('../add/run-add.ts')
    await runAdd(process, command, words)
  })
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new InvalidArgumentError('Expected a URL such as https://registry.example.com.')
  }
  return url.href.replace(/\/+$/, '').replace(/\/v0(?:\.1)?$/, '')
}

function backendName(text: string): string {
  if (isName(text)) return text
  throw new InvalidArgumentError('Expected a name of a to z, 0 to 9 and "-", at most 64 long.')
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Expected a number from 1.')
  return Number(text)
}
