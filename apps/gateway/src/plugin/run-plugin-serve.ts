import { createStderrLines, watchProcess } from '@junctor/command'
import { exitCodes } from '@junctor/command/exit'
import { createLoadingErrors } from '@junctor/node'
import { createLog } from '@junctor/telemetry'
import type { ServeOptions } from '../serve/serve-options.ts'
import { createPrettyLines } from '../log/pretty-lines.ts'
import { createTextReport } from '../report/text-report.ts'
import { serve } from '../serve/serve.ts'
import type { PluginOptions } from './plugin-options.ts'
import { pluginReport } from './plugin-report.ts'
import { madeConfig } from './made-config.ts'
import { serveComponent } from './serve-component.ts'
import { showsColors } from '../report/shows-colors.ts'

/** What the user typed. */
export interface PluginServeOptions extends Pick<ServeOptions, 'stdio' | 'logLevel'> {
  readonly options?: PluginOptions
  readonly host: string
  readonly port: number
}

/** Serves a plugin alone, until the process is asked to stop. */
export async function runPluginServe(
  process: NodeJS.Process,
  path: string,
  options: PluginServeOptions,
): Promise<void> {
  const { stderr, env } = process
  const output = createStderrLines(stderr)
  const color = showsColors(stderr)
  const full = createTextReport(output, color)
  const config = madeConfig({
    path,
    folder: process.cwd(),
    options: options.options,
    bare: true,
  })
  if (config.kind === 'unusable') {
    full.failed(config.failure)
    process.exitCode = exitCodes.usage
    return
  }
  const { file, folder } = config
  const { logLevel, host } = options
  const log = createLog(createPrettyLines(output, color), { level: logLevel })
  const { lastResort, stop } = watchProcess(process, log, createLoadingErrors(log))
  const report = { ...pluginReport(full, config.made), starting() {}, ready() {} }
  const around = { log, report, lastResort, stop }
  const ready = (url: string): void => output.write(`The component is on ${url}\n`)
  try {
    process.exitCode =
      options.stdio === true
        ? await serve({ config: file, folder, stdio: true, logLevel }, { ...around, process })
        : await serveComponent({ ...around, file, folder, host, port: options.port, env, ready })
  } finally {
    config.remove()
  }
}
