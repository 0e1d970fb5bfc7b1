import { printableLines } from '@junctor/primitives'
import { Command } from 'commander'
import { findAdmin } from '../admin/admin-endpoint.ts'
import { askAdmin } from '../admin/ask-admin.ts'
import { readAnswer } from '../admin/read-answer.ts'
import { shownStatusSchema } from '../admin/shown-status.ts'
import { statusText } from '../admin/status-text.ts'
import { exitCodes } from '@junctor/command'
import { createTextReport } from '../report/text-report.ts'
import { type AdminCommandOptions, withAdminOptions } from './admin-options.ts'

/** How long a gateway may take to query backends that it has not used yet, in milliseconds. */
const timeoutMs = 60_000

const help = `
Examples:
  junctor status                                     the gateway of the folder's junctor.yaml
  junctor status --config gateway.yaml --json
  junctor status --admin http://127.0.0.1:3001 --token "$TOKEN"

Exit codes:
  ${exitCodes.done}  the state was printed
  ${exitCodes.failed}  no gateway answered, or it refused
  ${exitCodes.usage}  the command line cannot be used`

/** `junctor status`. */
export function createStatusCommand(process: NodeJS.Process): Command {
  return withAdminOptions(new Command('status').description('show the state of a running gateway'))
    .addHelpText('after', help)
    .action(async (options: AdminCommandOptions) => {
      const { stdout, stderr } = process
      const report = createTextReport(stderr, stderr.isTTY && stderr.hasColors())
      const admin = findAdmin(options, process.cwd(), process.env)
      if (admin.note !== undefined) report.note(admin.note)
      const asked =
        admin.kind === 'unknown'
          ? ({ kind: 'failed', failure: admin.failure } as const)
          : await askAdmin(admin.place, '/status', AbortSignal.timeout(timeoutMs))
      const read = asked.kind === 'failed' ? asked : await readAnswer(shownStatusSchema, asked.response, asked.url)
      if (read.kind === 'failed') {
        report.failed(read.failure)
        process.exitCode = exitCodes.failed
        return
      }
      const color = stdout.isTTY && stdout.hasColors()
      stdout.write(
        options.json === true
          ? `${printableLines(JSON.stringify(read.whole, null, 2))}\n`
          : statusText(read.value, color),
      )
    })
}
