import { exitCodes } from '@junctor/command/exit'
import { Command } from 'commander'
import type { AdminCommandOptions } from '../admin/admin-endpoint.ts'
import type { EntryWords } from '../admin/backend-entry.ts'
import { collected } from './collected.ts'
import { withAdminOptions } from './admin-options.ts'

const exits = `
Exit codes:
  ${exitCodes.done}  done
  ${exitCodes.failed}  nothing was done
  ${exitCodes.usage}  the command line cannot be used, or the gateway refuses the description
  ${exitCodes.config}  the configuration cannot be used`

const help = `
All nodes of the gateway serve the change, also after a restart if they share NATS.
Backends with a program, a file or code are written in the configuration file.

Examples:
  junctor backend list
  junctor backend add search https://mcp.example.com/mcp --bearer-env SEARCH_TOKEN
  junctor backend change search --from search.yaml
  junctor backend remove search
${exits}`

/** `junctor backend`: lists, adds, changes and removes backends of a running gateway. */
export function createBackendCommand(process: NodeJS.Process): Command {
  return new Command('backend')
    .description('list, add, change and remove backends of a running gateway')
    .addHelpText('after', help)
    .addCommand(listCommand(process))
    .addCommand(writeCommand(process, 'add'))
    .addCommand(writeCommand(process, 'change'))
    .addCommand(removeCommand(process))
}

function listCommand(process: NodeJS.Process): Command {
  return withAdminOptions(new Command('list').description('list the backends, those of the file too'))
    .addHelpText('after', `\nExamples:\n  junctor backend list --json\n${exits}`)
    .action(async (options: AdminCommandOptions) => {
      const { listBackends } = await import('../admin/run-backend.ts')
      await listBackends(process, options)
    })
}

function writeCommand(process: NodeJS.Process, verb: 'add' | 'change'): Command {
  const isNew = verb === 'add'
  const example = isNew ? 'search https://mcp.example.com/mcp' : 'search https://mcp.example.com/v2/mcp'
  return withAdminOptions(
    new Command(verb)
      .description(isNew ? 'add a backend that is at a URL' : 'replace the description of a backend that was added')
      .argument('<name>', 'its name')
      .argument('[url]', 'the URL of an MCP server'),
  )
    .option('--from <file>', 'its description as in the configuration file, in YAML or JSON; - for standard input')
    .option('--bearer-env <variable>', 'the variable with the token for the backend; its value is sent')
    .option('--prefix <prefix>', 'the text before its names; default: its name')
    .option('--tenant <name>', 'a tenant that may use it; may be repeated; default: the only one', collected)
    .addHelpText('after', `\nExamples:\n  junctor backend ${verb} ${example}\n${exits}`)
    .action(async (name: string, url: string | undefined, options: AdminCommandOptions & EntryWords) => {
      const { writeBackend } = await import('../admin/run-backend.ts')
      await writeBackend(process, options, { verb, name, url })
    })
}

function removeCommand(process: NodeJS.Process): Command {
  return withAdminOptions(
    new Command('remove').description('remove a backend that was added').argument('<name>', 'its name'),
  )
    .addHelpText('after', `\nExamples:\n  junctor backend remove search\n${exits}`)
    .action(async (name: string, options: AdminCommandOptions) => {
      const { removeBackend } = await import('../admin/run-backend.ts')
      await removeBackend(process, options, name)
    })
}
