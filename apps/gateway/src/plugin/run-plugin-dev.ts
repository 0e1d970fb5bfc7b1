import { createStderrLines, watchProcess } from '@junctor/command'
import { exitCodes } from '@junctor/command/exit'
import type { JsonValue } from '@junctor/jsonrpc'
import { createLoadingErrors } from '@junctor/node'
import { createLog } from '@junctor/telemetry'
import type { ServeOptions } from '../serve/serve-options.ts'
import { eventText } from '../admin/event-text.ts'
import { createPrettyLines } from '../log/pretty-lines.ts'
import { createTextReport } from '../report/text-report.ts'
import { runToken } from '../serve/run-token.ts'
import { serve } from '../serve/serve.ts'
import type { PluginOptions } from './plugin-options.ts'
import { pluginReport } from './plugin-report.ts'
import { devConfig } from './dev-config.ts'
import { showCalls } from './show-calls.ts'
import { showsColors } from '../report/shows-colors.ts'

/** What the user typed. */
export interface DevOptions extends Pick<ServeOptions, 'port' | 'logLevel'> {
  readonly options?: PluginOptions
}

/** Serves the plugin, and shows every call, until the process is asked to stop. */
export async function runPluginDev(
  process: NodeJS.Process,
  path: string,
  { options: backend, ...given }: DevOptions,
): Promise<void> {
  const { stderr, stdout } = process
  const output = createStderrLines(stderr)
  const color = showsColors(stderr)
  const full = createTextReport(output, color)
  const config = devConfig(path, process.cwd(), backend)
  if (config.kind === 'unusable') {
    full.failed(config.failure)
    process.exitCode = exitCodes.usage
    return
  }
  const log = createLog(createPrettyLines(output, color), { level: given.logLevel })
  const { lastResort, stop } = watchProcess(process, log, createLoadingErrors(log))
  const { file } = config
  const report = pluginReport(full, config.made)
  const folder = process.cwd()
  // The events are read at the admin port, which wants a token.
  process.env['JUNCTOR_ADMIN_TOKEN'] ??= runToken()
  const show = (event: JsonValue): void => void stdout.write(`${eventText(event, showsColors(stdout))}\n`)
  const ended = new AbortController()
  let shown: Promise<void> | undefined
  const ready = (place: Parameters<typeof report.ready>[0]): void => {
    report.ready({ ...place, admin: undefined })
    output.write('The plugin is loaded again when one of its files changes. Calls:\n')
    const reloaded = (): void => output.write('Loaded again.\n')
    shown = showCalls({ file, folder, env: process.env, show, reloaded, report, signal: ended.signal })
  }
  try {
    const around = { process, log, report: { ...report, ready }, lastResort, stop }
    process.exitCode = await serve({ ...given, config: file, folder: config.folder, adminPort: 0 }, around)
  } finally {
    ended.abort()
    await shown
    config.remove()
  }
}
