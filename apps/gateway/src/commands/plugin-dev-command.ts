import { createLoadingErrors } from '@junctor/node'
import { createStderrLines, exitCodes, watchProcess } from '@junctor/command'
import type { JsonValue } from '@junctor/jsonrpc'
import { createLog, processLogLevels } from '@junctor/telemetry'
import { Command, Option } from 'commander'
import { eventText } from '../admin/event-text.ts'
import { createPrettyLines } from '../log/pretty-lines.ts'
import { devConfig, runToken } from '../plugin/dev-config.ts'
import { showCalls } from '../plugin/show-calls.ts'
import { createTextReport } from '../report/text-report.ts'
import { serve } from '../serve/serve.ts'
import { type PluginOptions, pluginOptionsOption } from './plugin-options.ts'
import type { ServeOptions } from '../serve/serve-options.ts'
import { parsePort } from './parse-port.ts'

const help = `
Serves the plugin, and loads it again when one of its files has changed: the sessions of clients stay. A change that
cannot be loaded leaves the earlier one in use. Each call is shown.
With a junctor.yaml in the folder of the plugin, that is the configuration; without, the plugin is the only backend.

Examples:
  junctor plugin dev                                     the plugin of this folder
  junctor plugin dev ./weather.ts --options '{"city":"Oslo"}'

Exit codes:
  ${exitCodes.done}  stopped by SIGTERM or SIGINT
  ${exitCodes.failed}  failed while it ran
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration or the plugin cannot be used
  ${exitCodes.listen}  the address to listen on is not available`

interface DevOptions extends Pick<ServeOptions, 'port' | 'logLevel'> {
  readonly options?: PluginOptions
}

/** `junctor plugin dev`. */
export function createPluginDevCommand(process: NodeJS.Process): Command {
  return new Command('dev')
    .description('serve a plugin, and serve it again after each change')
    .argument('[file]', 'the plugin: a file or a folder; default: this folder')
    .addOption(pluginOptionsOption())
    .option('--port <number>', 'listen on this port; 0 for a free one', parsePort)
    .addOption(new Option('--log-level <level>', 'what to log').choices(processLogLevels).default('warn'))
    .addHelpText('after', help)
    .action((path: string | undefined, options: DevOptions) => serveAndWatch(process, path ?? '.', options))
}

/** Serves the plugin, and shows every call, until the process is asked to stop. */
async function serveAndWatch(
  process: NodeJS.Process,
  path: string,
  { options: backend, ...given }: DevOptions,
): Promise<void> {
  const { stderr, stdout } = process
  const output = createStderrLines(stderr)
  const color = stderr.isTTY && stderr.hasColors()
  const report = createTextReport(output, color)
  const config = devConfig(path, process.cwd(), backend?.options)
  if (config.kind === 'unusable') {
    report.failed(config.failure)
    process.exitCode = exitCodes.usage
    return
  }
  const log = createLog(createPrettyLines(output, color), { level: given.logLevel })
  const { lastResort, stop } = watchProcess(process, log, createLoadingErrors(log))
  const { file } = config
  const folder = process.cwd()
  // The events are read at the admin port, which wants a token.
  process.env['JUNCTOR_ADMIN_TOKEN'] ??= runToken()
  const show = (event: JsonValue): void =>
    void stdout.write(`${eventText(event, stdout.isTTY && stdout.hasColors())}\n`)
  const ended = new AbortController()
  let shown: Promise<void> | undefined
  const ready = (place: Parameters<typeof report.ready>[0]): void => {
    report.ready({ ...place, admin: undefined })
    output.write('The plugin is loaded again when one of its files changes. Calls:\n')
    shown = showCalls({ file, folder, env: process.env, show, report, signal: ended.signal })
  }
  try {
    const around = { process, log, report: { ...report, ready }, lastResort, stop }
    process.exitCode = await serve({ ...given, config: file, adminPort: 0 }, around)
  } finally {
    ended.abort()
    await shown
    config.remove()
  }
}
