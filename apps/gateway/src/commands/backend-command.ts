import { exitCodes } from '@junctor/command'
import { printableLines } from '@junctor/primitives'
import { Command } from 'commander'
import { findAdmin } from '../admin/admin-endpoint.ts'
import { type AdminRequest, askAdmin } from '../admin/ask-admin.ts'
import { type EntryWords, readEntry } from '../admin/backend-entry.ts'
import { type ReadAnswer, readAnswer } from '../admin/read-answer.ts'
import { backendsText, type ShownBackend, shownBackendSchema, shownBackendsSchema } from '../admin/shown-backends.ts'
import { failCommand } from '../report/fail-command.ts'
import { createTextReport } from '../report/text-report.ts'
import { type AdminCommandOptions, withAdminOptions } from './admin-options.ts'

/** How long a gateway may take, in milliseconds: it reads the description of an API, perhaps. */
const timeoutMs = 60_000

const exits = `
Exit codes:
  ${exitCodes.done}  done
  ${exitCodes.failed}  nothing was done
  ${exitCodes.usage}  the command line cannot be used`

const help = `
All nodes of the gateway serve the change, also after a restart if they share NATS.
Backends with a program, a file or code are written in the configuration file.

Examples:
  junctor backend list
  junctor backend add search https://mcp.example.com/mcp --bearer-env SEARCH_TOKEN
  junctor backend change search --from search.yaml
  junctor backend remove search
${exits}`

/** What a subcommand asks the admin port, and how it shows the answer. */
interface Question<Value> {
  readonly path: string
  readonly request?: AdminRequest
  readonly schema: Parameters<typeof readAnswer<Value>>[0]
  readonly text: (value: Value, color: boolean) => string
}

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
    .action((options: AdminCommandOptions) =>
      ask(process, options, {
        path: '/backends',
        schema: shownBackendsSchema,
        text: ({ backends }, color) => backendsText(backends, color),
      }),
    )
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
    .action((name: string, url: string | undefined, options: AdminCommandOptions & EntryWords) => {
      const read = readEntry(url, options, process.env)
      if (read.kind === 'failed') return failCommand(process, read.failure)
      const headers = isNew ? { 'if-none-match': '*' } : { 'if-match': '*' }
      const request = { method: 'PUT', body: read.entry, headers } as const
      return ask(process, options, { ...oneBackend(name), request })
    })
}

function removeCommand(process: NodeJS.Process): Command {
  return withAdminOptions(
    new Command('remove').description('remove a backend that was added').argument('<name>', 'its name'),
  )
    .addHelpText('after', `\nExamples:\n  junctor backend remove search\n${exits}`)
    .action((name: string, options: AdminCommandOptions) =>
      ask(process, options, { ...oneBackend(name), request: { method: 'DELETE' } }),
    )
}

function oneBackend(name: string): Omit<Question<ShownBackend>, 'request'> {
  return {
    path: `/backends/${encodeURIComponent(name)}`,
    schema: shownBackendSchema,
    text: ({ name: shown, change = 'done' }) => `${shown}: ${change}\n`,
  }
}

async function ask<Value>(
  process: NodeJS.Process,
  options: AdminCommandOptions,
  { path, request, schema, text }: Question<Value>,
): Promise<void> {
  const { stdout, stderr } = process
  const admin = findAdmin(options, process.cwd(), process.env)
  if (admin.note !== undefined) createTextReport(stderr, stderr.isTTY && stderr.hasColors()).note(admin.note)
  if (admin.kind === 'unknown') return failCommand(process, admin.failure)
  const asked = await askAdmin(admin.place, path, AbortSignal.timeout(timeoutMs), request)
  const read: ReadAnswer<Value> = asked.kind === 'failed' ? asked : await readAnswer(schema, asked.response, asked.url)
  if (read.kind === 'failed') return failCommand(process, read.failure)
  const color = stdout.isTTY && stdout.hasColors()
  const json = `${printableLines(JSON.stringify(read.whole, null, 2))}\n`
  stdout.write(options.json === true ? json : text(read.value, color))
}

function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
