import { enterChain, type ExitCode, exitCodes } from '@junctor/command'
import { approvedOf, renderProblems } from '@junctor/config'
import type { ParsedNodeConfig } from '@junctor/node'
import { printableLines } from '@junctor/primitives'
import { Command } from 'commander'
import { readApproved, type ReadApproved, writeApproved } from '../pins/approve-tools.ts'
import { comparePins } from '../pins/compare-pins.ts'
import { type OfferedTools, offeredTools } from '../pins/offered-tools.ts'
import { type ComparedBackend, pinsText } from '../pins/pins-text.ts'
import { failCommand } from '../report/fail-command.ts'
import { chooseSource, type ConfigSource } from '../serve/config-source.ts'
import { listsTimeoutOption } from './lists-timeout-option.ts'

interface PinsOptions {
  readonly config?: string
  readonly json?: true
  /** Milliseconds. */
  readonly timeout: number
}

const exits = `
Exit codes:
  ${exitCodes.done}  all tools are as approved
  ${exitCodes.failed}  some are not, or the file cannot be read or written
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used
  ${exitCodes.backend}  a backend cannot be used`

const help = `
A server can change a tool after you have read its description. With "pins: block" in the configuration, clients see a
tool only as you approved it; with "pins: warn", the log and \`junctor status\` name the others. What you approved is in
junctor.pins.json beside junctor.yaml: keep both under version control.

Examples:
  junctor pins show                        what differs from what was approved
  junctor pins approve                     approve every tool as it is now
  junctor pins approve weather forecast    approve one tool of one backend
${exits}`

/** `junctor pins`: shows and approves the definitions of tools. */
export function createPinsCommand(process: NodeJS.Process): Command {
  return new Command('pins')
    .description('compare tools with the approved ones, and approve tools')
    .addHelpText('after', help)
    .addCommand(
      withOptions(new Command('show').description('compare the tools of backends with those that were approved'))
        .argument('[backend]', 'the backend; default: all')
        .option('--json', 'print JSON')
        .addHelpText('after', `\nExamples:\n  junctor pins show --config servers.json\n${exits}`)
        .action((backend: string | undefined, options: PinsOptions) => run(process, options, { backend })),
    )
    .addCommand(
      withOptions(new Command('approve').description('approve tools as they are now'))
        .argument('[backend]', 'the backend; default: all')
        .argument('[tools...]', 'the names of tools, without a prefix; default: all')
        .addHelpText('after', `\nExamples:\n  junctor pins approve weather\n${exits}`)
        .action((backend: string | undefined, tools: readonly string[], options: PinsOptions) =>
          run(process, options, { backend, tools }),
        ),
    )
}

function withOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'the configuration; default: the one in this folder')
    .addOption(listsTimeoutOption('how long to wait for the lists of a backend'))
}

/** What the command is about. `tools`: those that are approved; absent: nothing is. */
interface Chosen {
  readonly backend: string | undefined
  readonly tools?: readonly string[]
}

/** Where the command works: a configuration, and what was approved for it. */
interface Place {
  readonly file: string
  readonly parsed: Extract<ParsedNodeConfig, { kind: 'valid' }>
  readonly read: Extract<ReadApproved, { kind: 'approved' }>
}

async function run(process: NodeJS.Process, options: PinsOptions, chosen: Chosen): Promise<void> {
  const { config, json, timeout } = options
  const source = chooseSource({ ...(config !== undefined && { config }) }, process.cwd(), process.env)
  try {
    const place = await findPlace(source, chosen, process)
    if (place === undefined) return
    enterChain(place.file, process.env)
    const offered = await offeredTools({ ...place, backend: chosen.backend, timeoutMs: timeout })
    const { approved } = place.read
    const compared = [...offered.tools].map(([name, tools]) => ({
      name,
      tools: comparePins(tools, approvedOf(approved, name)),
    }))
    const known = new Set(compared.flatMap((backend) => backend.tools.map(({ name }) => name)))
    const unknown = offered.problems.length > 0 ? undefined : chosen.tools?.find((tool) => !known.has(tool))
    if (unknown !== undefined) {
      const message = `expected a tool of ${chosen.backend}, got ${JSON.stringify(unknown)}`
      const next = `See them with: junctor pins show ${chosen.backend}`
      return failCommand(process, { message, next }, exitCodes.usage)
    }
    process.stderr.write(renderProblems(offered.problems))
    print(process, compared, json === true)
    process.exitCode = codeOf(compared, offered.problems.length, chosen)
    if (chosen.tools !== undefined) approve(process, place, offered, chosen.tools)
  } finally {
    source.remove()
  }
}

/** Finds everything that the command needs. `undefined`: something is missing, which was reported. */
async function findPlace(
  { file, read: readConfig }: Pick<ConfigSource, 'file' | 'read'>,
  { backend }: Chosen,
  process: NodeJS.Process,
): Promise<Place | undefined> {
  if (file === undefined) {
    const failure = { message: 'there is no configuration in this folder', next: 'Make one with: junctor init' }
    return failCommand(process, failure, exitCodes.config)
  }
  const parsed = await readConfig()
  if (parsed.kind === 'invalid') {
    process.stderr.write(renderProblems(parsed.problems))
    process.exitCode = exitCodes.config
    return undefined
  }
  const names = parsed.config.backends.map(({ name }) => name)
  if (backend !== undefined && !names.includes(backend)) {
    const message = `expected a backend of ${file}, got ${JSON.stringify(backend)}`
    return failCommand(process, { message, next: `It has ${names.join(', ')}.` }, exitCodes.usage)
  }
  const read = readApproved(file)
  if (read.kind === 'failed') return failCommand(process, read.failure, exitCodes.failed)
  return { file, parsed, read }
}

function approve(
  process: NodeJS.Process,
  { parsed, read }: Place,
  offered: OfferedTools,
  tools: readonly string[],
): void {
  const backends = parsed.config.backends.map(({ name }) => name)
  const failure = writeApproved(read, { offered: offered.tools, backends, tools })
  if (failure !== undefined) return failCommand(process, failure, exitCodes.failed)
  process.stdout.write(`Approved, in ${read.file}.\n`)
}

function print({ stdout }: NodeJS.Process, compared: readonly ComparedBackend[], isJson: boolean): void {
  const color = stdout.isTTY && stdout.hasColors()
  if (isJson) stdout.write(printableLines(`${JSON.stringify({ backends: compared }, null, 2)}\n`))
  else for (const backend of compared) stdout.write(pinsText(backend, color))
}

function codeOf(compared: readonly ComparedBackend[], problems: number, { tools }: Chosen): ExitCode {
  if (problems > 0) return exitCodes.backend
  const isAsApproved = compared.every((backend) => backend.tools.every(({ state }) => state === 'approved'))
  return isAsApproved || tools !== undefined ? exitCodes.done : exitCodes.failed
}
