import { exitCodes } from '@junctor/command/exit'
import { Command } from 'commander'
import type { CommandMaker } from './command-maker.ts'

/** The subcommands of `junctor plugin` by name, in the order of the help. */
const subcommands: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  new: async () => (await import('./plugin-new-command.ts')).createPluginNewCommand,
  dev: async () => (await import('./plugin-dev-command.ts')).createPluginDevCommand,
  check: async () => (await import('./plugin-check-command.ts')).createPluginCheckCommand,
  serve: async () => (await import('./plugin-serve-command.ts')).createPluginServeCommand,
}

const help = `
Examples:
  junctor plugin new @acme/weather    a new plugin, in the folder weather
  junctor plugin dev weather          serves it, and again after each change
  junctor plugin check                check the plugin in this folder, and its package
  junctor plugin serve weather        as an HTTP component, without a gateway

Exit codes:
  ${exitCodes.done}  done
  ${exitCodes.failed}  failed
  ${exitCodes.usage}  the command line cannot be used`

/** `junctor plugin`: a group of commands for the authors of plugins. */
export async function loadPluginCommand(): Promise<CommandMaker> {
  const makers = await Promise.all(Object.values(subcommands).map((load) => load()))
  return (process) => {
    const group = new Command('plugin')
      .description('make, serve and check plugins: backends of your own')
      .addHelpText('after', help)
    for (const make of makers) group.addCommand(make(process))
    return group
  }
}
