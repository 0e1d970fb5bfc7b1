import { enterChain } from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import { approvedOf, renderProblems } from '@junctor/config'
import type { ParsedNodeConfig } from '@junctor/node'
import { failCommand } from '../report/fail-command.ts'
import { chooseSource, type ConfigSource } from '../serve/config-source.ts'
import { readApproved, type ReadApproved, writeApproved } from './approve-tools.ts'
import { comparePins } from './compare-pins.ts'
import { type OfferedTools, offeredTools } from './offered-tools.ts'
import { type ComparedBackend, pinsText } from './pins-text.ts'
import { showsColors } from '../report/shows-colors.ts'
import { jsonText } from '../report/json-text.ts'

/** What the user typed. */
export interface PinsOptions {
  readonly config?: string
  readonly json?: true
  /** Milliseconds. */
  readonly timeout: number
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

/** Compares the tools of backends with the approved ones, prints how they differ, and approves those that are named. */
export async function runPins(process: NodeJS.Process, options: PinsOptions, chosen: Chosen): Promise<void> {
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
    const next = names.length === 0 ? 'It has no backends: add one with junctor add.' : `It has ${names.join(', ')}.`
    return failCommand(process, { message, next }, exitCodes.usage)
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
  if (isJson) stdout.write(jsonText({ backends: compared }))
  else for (const backend of compared) stdout.write(pinsText(backend, showsColors(stdout)))
}

function codeOf(compared: readonly ComparedBackend[], problems: number, { tools }: Chosen): ExitCode {
  if (problems > 0) return exitCodes.backend
  const isAsApproved = compared.every((backend) => backend.tools.every(({ state }) => state === 'approved'))
  return isAsApproved || tools !== undefined ? exitCodes.done : exitCodes.failed
}
