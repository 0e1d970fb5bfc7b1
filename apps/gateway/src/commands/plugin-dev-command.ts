import { exitCodes } from '@junctor/command/exit'
import { processLogLevels } from '@junctor/telemetry/log-levels'
import { Command, Option } from 'commander'
import type { DevOptions } from '../plugin/run-plugin-dev.ts'
import { pluginOptionsOption } from './plugin-options.ts'
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

/** `junctor plugin dev`. */
export function createPluginDevCommand(process: NodeJS.Process): Command {
  return new Command('dev')
    .description('serve a plugin, and serve it again after each change')
    .argument('[file]', 'the plugin: a file or a folder; default: this folder')
    .addOption(pluginOptionsOption())
    .option('--port <number>', 'listen on this port; 0 for a free one', parsePort)
    .addOption(new Option('--log-level <level>', 'what to log').choices(processLogLevels).default('warn'))
    .addHelpText('after', help)
    .action(async (path: string | undefined, options: DevOptions) => {
      const { runPluginDev } = await import('../plugin/run-plugin-dev.ts')
      await runPluginDev(process, path ?? '.', options)
    })
}
