import { printableLines } from '@junctor/primitives'
import type { NodeStatus } from '@junctor/node'
import { Command } from 'commander'
import { findAdmin } from '../admin/admin-place.ts'
import { askAdmin } from '../admin/ask-admin.ts'
import { statusText } from '../admin/status-text.ts'
import { exitCodes } from '@junctor/command'
import { createTextReport } from '../report/text-report.ts'
import { type LookOptions, withAdminOptions } from './admin-options.ts'

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
    .action(async (options: LookOptions) => {
      const { stdout, stderr } = process
      const report = createTextReport(stderr, stderr.isTTY && stderr.hasColors())
      const admin = findAdmin(options, process.cwd(), process.env)
      if (admin.kind === 'found' && admin.note !== undefined) report.note(admin.note)
      const asked =
        admin.kind === 'unknown'
          ? ({ kind: 'failed', failure: admin.failure } as const)
          : await askAdmin(admin.place, '/status', AbortSignal.timeout(timeoutMs))
      if (asked.kind === 'failed') {
        report.failed(asked.failure)
        process.exitCode = exitCodes.failed
        return
      }
      const status = (await asked.response.json()) as NodeStatus
      const color = stdout.isTTY && stdout.hasColors()
      stdout.write(
        options.json === true ? `${printableLines(JSON.stringify(status, null, 2))}\n` : statusText(status, color),
      )
    })
}
