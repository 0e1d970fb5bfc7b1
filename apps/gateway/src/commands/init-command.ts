import { profiles } from '@junctor/protocol'
import type { JsonObject } from '@junctor/jsonrpc'
import { Command, InvalidArgumentError, Option } from 'commander'
import { exitCodes } from '@junctor/command/exit'
import type { InitOptions } from '../init/init-options.ts'
import { typedBackend } from '../init/typed-backend.ts'
import { collected } from './collected.ts'
import { parsePort } from './parse-port.ts'

const help = `
Finds the servers of Claude Desktop, Claude Code, Cursor, VS Code and others, here and in your home folder.
On a terminal it asks; without a terminal it takes over only what the options name.

Examples:
  junctor init                                               asks
  junctor init --yes                                         imports all servers found
  junctor init --from ~/.cursor/mcp.json --output gateway.yaml
  junctor init --backend "files=npx -y @modelcontextprotocol/server-filesystem ." --port 4000

Exit codes:
  ${exitCodes.done}  the file was written
  ${exitCodes.failed}  the file could not be written, or exists already
  ${exitCodes.usage}  the command line cannot be used`

/** The options as commander reads them: a repeatable option may be absent. */
type InitWords = Omit<InitOptions, 'from' | 'backend'> & Partial<Pick<InitOptions, 'from' | 'backend'>>

/** `junctor init`. */
export function createInitCommand(process: NodeJS.Process): Command {
  return new Command('init')
    .description('write a configuration with the servers of your MCP clients')
    .option('--from <file>', 'import the servers of this file; may be repeated', collected)
    .option('-o, --output <file>', 'the file to write', 'junctor.yaml')
    .option('--force', 'overwrite it')
    .option('-y, --yes', 'ask nothing, import all servers found')
    .option('--port <number>', 'the port that clients connect to', parsePort)
    .addOption(new Option('--profile <name>', 'how clients see the gateway').choices(Object.keys(profiles)))
    .option('--backend <name=command-or-url>', 'one more server; may be repeated', backends)
    .addHelpText('after', help)
    .action(async ({ from = [], backend = [], ...words }: InitWords) => {
      const { runInit } = await import('../init/run-init.ts')
      await runInit(process, { from, backend, ...words })
    })
}

function backends(text: string, before: readonly JsonObject[] = []): readonly JsonObject[] {
  const read = typedBackend(text)
  if (read.kind === 'bad') throw new InvalidArgumentError(`${read.message}.`)
  return [...before, { [read.name]: read.backend }]
}
