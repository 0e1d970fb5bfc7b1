import { exitCodes } from '@junctor/command/exit'
import manifest from '../../package.json' with { type: 'json' }
import { failCommand } from '../report/fail-command.ts'
import { newPlugin, newPluginText, type NewPluginOptions } from './new-plugin.ts'

/** Writes the package of a new plugin, and prints what to do with it. */
export function runPluginNew(process: NodeJS.Process, options: NewPluginOptions): void {
  const folder = process.cwd()
  const made = newPlugin(options, folder, manifest.version)
  if (made.kind === 'written') process.stdout.write(newPluginText(made, folder))
  else failCommand(process, made.failure, made.kind === 'unusable' ? exitCodes.usage : exitCodes.failed)
}
