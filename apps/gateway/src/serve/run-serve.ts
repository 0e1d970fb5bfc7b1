import { createStderrLines, watchProcess } from '@junctor/command'
import { createLoadingErrors } from '@junctor/node'
import { createLog } from '@junctor/telemetry'
import { createPrettyLines } from '../log/pretty-lines.ts'
import { createJsonReport } from '../report/json-report.ts'
import { createTextReport } from '../report/text-report.ts'
import type { ServeOptions } from './serve-options.ts'
import { serve } from './serve.ts'
import { showsColors } from '../report/shows-colors.ts'

/** Runs a gateway until the process is asked to stop. */
export async function runServe(process: NodeJS.Process, options: ServeOptions): Promise<void> {
  const { stderr } = process
  const output = createStderrLines(stderr)
  const color = showsColors(stderr)
  const forPeople = stderr.isTTY && options.json !== true
  const log = createLog(forPeople ? createPrettyLines(output, color) : output, { level: options.logLevel })
  const full = options.json === true ? createJsonReport(output) : createTextReport(output, color)
  const report = options.quiet === true ? { ...full, starting() {}, ready() {} } : full
  const { lastResort, stop } = watchProcess(process, log, createLoadingErrors(log))
  process.exitCode = await serve(options, { process, log, report, lastResort, stop })
}
