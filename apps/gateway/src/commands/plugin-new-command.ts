import { exitCodes } from '@junctor/command/exit'
import { Command } from 'commander'

const help = `
Writes a package with source in TypeScript, tests, a README, a configuration to try it, and a check for GitHub.

Examples:
  junctor plugin new weather
  junctor plugin new @acme/weather --dir plugins/weather

Exit codes:
  ${exitCodes.done}  the package was written
  ${exitCodes.failed}  it could not be written, or the folder is not empty
  ${exitCodes.usage}  the command line cannot be used`

/** `junctor plugin new`. */
export function createPluginNewCommand(process: NodeJS.Process): Command {
  return new Command('new')
    .description('write the package of a new plugin')
    .argument('<name>', 'the name of the package: weather or @acme/weather')
    .option('--dir <folder>', 'the folder to write; default: the name, in this folder')
    .addHelpText('after', help)
    .action(async (name: string, options: { readonly dir?: string }) => {
      const { runPluginNew } = await import('../plugin/run-plugin-new.ts')
      runPluginNew(process, { name, ...options })
    })
}
