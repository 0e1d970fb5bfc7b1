import { printableLines } from '@junctor/primitives'
import { exitCodes } from '@junctor/command/exit'
import { createTextReport } from '../report/text-report.ts'
import { type AdminCommandOptions, findAdmin } from './admin-endpoint.ts'
import { askAdmin } from './ask-admin.ts'
import { readAnswer } from './read-answer.ts'
import { shownStatusSchema } from './shown-status.ts'
import { statusText } from './status-text.ts'

/** How long a gateway may take to query backends that it has not used yet, in milliseconds. */
const timeoutMs = 60_000

/** Prints the state of a running gateway. */
export async function runStatus(process: NodeJS.Process, options: AdminCommandOptions): Promise<void> {
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
    options.json === true ? `${printableLines(JSON.stringify(read.whole, null, 2))}\n` : statusText(read.value, color),
  )
}
