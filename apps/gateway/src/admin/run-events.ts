import type { Failure } from '@junctor/command'
import { exitCodes } from '@junctor/command/exit'
import type { JsonValue } from '@junctor/jsonrpc'
import { printableLines } from '@junctor/primitives'
import { headers } from '@junctor/protocol'
import { z } from 'zod'
import { createTerminalLine } from '../report/terminal-line.ts'
import { createTextReport } from '../report/text-report.ts'
import { type AdminCommandOptions, findAdmin } from './admin-endpoint.ts'
import { askAdmin } from './ask-admin.ts'
import { eventText } from './event-text.ts'
import { followEvents } from './follow-events.ts'
import { readAnswer } from './read-answer.ts'
import { showsColors } from '../report/shows-colors.ts'

/** What the user typed. */
export interface EventsOptions extends AdminCommandOptions {
  readonly follow?: true
  readonly tenant?: string
  readonly trace?: string
  readonly type?: string
  readonly status?: string
  readonly since?: string
  readonly limit?: string
}

/** The answer to `GET /events`. Events of any form are shown. */
const eventsSchema = z.array(z.custom<JsonValue>())

/** Prints the events of a running gateway. */
export async function runEvents(process: NodeJS.Process, options: EventsOptions): Promise<void> {
  const { stdout, stderr } = process
  const report = createTextReport(stderr, showsColors(stderr))
  const color = showsColors(stdout)
  const show = (event: JsonValue): void =>
    void stdout.write(`${options.json === true ? printableLines(JSON.stringify(event)) : eventText(event, color)}\n`)
  const stop = new AbortController()
  const end = (): void => stop.abort()
  // With --follow, a signal is the regular end. Without, it ends the process, which shells show as 130 or 143.
  if (options.follow === true) process.once('SIGINT', end).once('SIGTERM', end)
  const admin = findAdmin(options, process.cwd(), process.env)
  if (admin.note !== undefined) report.note(admin.note)
  if (admin.kind === 'unknown') {
    report.failed(admin.failure)
    process.exitCode = admin.code
    return
  }
  const { place } = admin
  const path = pathOf(options)
  const asked = await askAdmin(place, path, stop.signal)
  if (asked.kind === 'failed') {
    if (!stop.signal.aborted) {
      const { message, next } = asked.failure
      report.failed({ message: withOptionName(message), next })
      process.exitCode = asked.code
    }
  } else if (options.follow === true) {
    const parts = { first: asked.response, place, path, show, report, line: createTerminalLine(stderr) }
    const ended = await followEvents({ ...parts, signal: stop.signal })
    process.exitCode = ended ? exitCodes.done : exitCodes.failed
  } else {
    const read = await readAnswer(eventsSchema, asked.response, asked.url)
    if (read.kind === 'failed') {
      report.failed(read.failure)
      process.exitCode = exitCodes.failed
      return
    }
    for (const event of read.value) show(event)
    const silent = asked.response.headers.get(headers.silentNodes)
    if (silent !== null) report.failed(didNotAnswer(silent))
  }
}

/** The failure of nodes that did not answer: the shown events are incomplete. */
function didNotAnswer(nodes: string): Failure {
  const next = 'See with "junctor status" whether they are still there, and look at the log of the gateway.'
  return { message: `these nodes did not return their events: ${nodes}`, next }
}

/** The parameter of `GET /events` for each option that has a value. */
const parameters = {
  tenant: 'tenant',
  trace: 'trace_id',
  type: 'event_type',
  status: 'status',
  since: 'since',
  limit: 'limit',
} as const

const optionNames = Object.keys(parameters) as readonly (keyof typeof parameters)[]

/** A refusal begins with the name of a parameter; the user knows that of the option. */
function withOptionName(message: string): string {
  const option = optionNames.find((name) => message.startsWith(`${parameters[name]}: `))
  return option === undefined ? message : `--${option}${message.slice(parameters[option].length)}`
}

function pathOf(options: EventsOptions): string {
  const query = new URLSearchParams(options.follow === true ? { follow: 'true' } : {})
  for (const option of optionNames) {
    const value = options[option]
    if (value !== undefined) query.set(parameters[option], value)
  }
  return `/events?${query.toString()}`
}
