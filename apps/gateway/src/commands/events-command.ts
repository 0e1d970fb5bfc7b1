import { printableLines } from '@junctor/primitives'
import type { JsonValue } from '@junctor/jsonrpc'
import { Command, Option } from 'commander'
import { z } from 'zod'
import { findAdmin } from '../admin/admin-endpoint.ts'
import { askAdmin } from '../admin/ask-admin.ts'
import { eventText } from '../admin/event-text.ts'
import { followEvents } from '../admin/follow-events.ts'
import { readAnswer } from '../admin/read-answer.ts'
import { exitCodes } from '@junctor/command'
import { headers } from '@junctor/protocol'
import { createTerminalLine } from '../report/terminal-line.ts'
import type { Failure } from '@junctor/command'
import { createTextReport } from '../report/text-report.ts'
import { type AdminCommandOptions, withAdminOptions } from './admin-options.ts'

/** The answer to `GET /events`. Events of any form are shown. */
const eventsSchema = z.array(z.custom<JsonValue>())

interface EventsOptions extends AdminCommandOptions {
  readonly follow?: true
  readonly tenant?: string
  readonly trace?: string
  readonly type?: string
  readonly status?: string
  readonly since?: string
  readonly limit?: string
}

const help = `
Examples:
  junctor events --since 1h --status failure
  junctor events --follow --type gateway.tool_call    of this node alone
  junctor events --trace 4bf92f35-77b3-4da6-a3ce-929d0e0e4736 --json

Exit codes:
  ${exitCodes.done}  the events were shown; with --follow, ended by SIGINT or SIGTERM
  ${exitCodes.failed}  no gateway answered, or it refused
  ${exitCodes.usage}  the command line cannot be used`

/** `junctor events`. */
export function createEventsCommand(process: NodeJS.Process): Command {
  return withAdminOptions(
    new Command('events').description('show the events of a running gateway, from all of its nodes'),
  )
    .option('-f, --follow', 'show new events as they come, of the node that is asked')
    .option('--tenant <name>', 'only events of this tenant; default: of all')
    .option('--trace <id>', 'only events of one call: its trace id')
    .option('--type <type>', 'only events of this type, such as gateway.tool_call')
    .addOption(
      new Option('--status <status>', 'only events with this status').choices(['success', 'failure', 'pending']),
    )
    .option('--since <time>', 'only newer events: 30m, 24h, 7d or 2026-01-31T12:00:00Z')
    .option('--limit <count>', 'how many of the newest events, at most 1000; default: 100')
    .addHelpText('after', help)
    .action(async (options: EventsOptions) => {
      const { stdout, stderr } = process
      const report = createTextReport(stderr, stderr.isTTY && stderr.hasColors())
      const color = stdout.isTTY && stdout.hasColors()
      const show = (event: JsonValue): void =>
        void stdout.write(
          `${options.json === true ? printableLines(JSON.stringify(event)) : eventText(event, color)}\n`,
        )
      const stop = new AbortController()
      const end = (): void => stop.abort()
      process.once('SIGINT', end).once('SIGTERM', end)
      const admin = findAdmin(options, process.cwd(), process.env)
      if (admin.note !== undefined) report.note(admin.note)
      if (admin.kind === 'unknown') {
        report.failed(admin.failure)
        process.exitCode = exitCodes.failed
        return
      }
      const { place } = admin
      const path = pathOf(options)
      const asked = await askAdmin(place, path, stop.signal)
      if (asked.kind === 'failed') {
        if (!stop.signal.aborted) report.failed(asked.failure)
        process.exitCode = exitCodes.failed
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
    })
}

/** The failure of nodes that did not answer: the shown events are incomplete. */
function didNotAnswer(nodes: string): Failure {
  const next = 'See with "junctor status" whether they are still there, and look at the log of the gateway.'
  return { message: `these nodes did not return their events: ${nodes}`, next }
}

function pathOf({ follow, tenant, trace, type, status, since, limit }: EventsOptions): string {
  const words = { tenant, trace_id: trace, event_type: type, status, since, limit, follow: follow && 'true' }
  const given = Object.entries(words).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/events?${new URLSearchParams(given).toString()}`
}
