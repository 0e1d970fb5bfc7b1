import { printableLines } from '@junctor/primitives'
import { Command } from 'commander'
import { toolsText } from '../client/tools-text.ts'
import { exitCodes } from '@junctor/command'
import { type ClientOptions, withClientOptions } from './client-options.ts'
import { useClient } from './use-client.ts'

const help = `
Arguments in brackets are optional.

Examples:
  junctor tools                                      the tools of junctor.yaml in this folder, else of the demo
  junctor tools --config servers.json --json
  junctor tools --url http://127.0.0.1:3000/mcp --key "$API_KEY"

Exit codes:
  ${exitCodes.done}  the tools were listed
  ${exitCodes.failed}  the tools could not be listed
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used`

/** `junctor tools`. */
export function createToolsCommand(process: NodeJS.Process): Command {
  return withClientOptions(new Command('tools').description('list the tools that clients see'))
    .addHelpText('after', help)
    .action((options: ClientOptions) =>
      useClient(process, options, async ({ client }, signal) => {
        const { stdout } = process
        const { tools } = await client.listTools(undefined, { signal })
        const color = stdout.isTTY && stdout.hasColors()
        stdout.write(
          options.json === true ? `${printableLines(JSON.stringify(tools, null, 2))}\n` : toolsText(tools, color),
        )
        return { code: exitCodes.done, ...(tools.length === 0 && { note: noTools(options) }) }
      }),
    )
}

/** An empty list has many reasons, and a client sees none of them. */
function noTools({ url }: ClientOptions): string {
  return url === undefined
    ? 'no backend offers a tool, or none has started in time; "junctor check" says what each of them does'
    : 'the gateway offers no tool to this client; "junctor status" shows its backends'
}
