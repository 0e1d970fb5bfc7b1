import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { createCallCommand } from './commands/call-command.ts'
import { createCheckCommand } from './commands/check-command.ts'
import { createCompletionCommand } from './commands/completion-command.ts'
import { createEventsCommand } from './commands/events-command.ts'
import { createHashKeyCommand } from './commands/hash-key-command.ts'
import { createInitCommand } from './commands/init-command.ts'
import { createServeCommand } from './commands/serve-command.ts'
import { createStatusCommand } from './commands/status-command.ts'
import { createToolsCommand } from './commands/tools-command.ts'
import { exitCodes } from './exit-codes.ts'

/** Runs the command line of a process: what follows the names of the program and of its file. */
export async function runProgram(words: readonly string[], process: NodeJS.Process): Promise<void> {
  const program = new Command('junctor')
    .description('A gateway for the Model Context Protocol: many servers behind one address.')
    .version(manifest.version)
    .addCommand(createInitCommand(process))
    .addCommand(createServeCommand(process))
    .addCommand(createCheckCommand(process))
    .addCommand(createToolsCommand(process))
    .addCommand(createCallCommand(process))
    .addCommand(createStatusCommand(process))
    .addCommand(createEventsCommand(process))
    .addCommand(createHashKeyCommand(process))
    .addCommand(createCompletionCommand(process))
    .addHelpText('after', '\nExample:\n  junctor serve --config junctor.yaml')
  for (const command of [program, ...program.commands]) {
    command.exitOverride().showHelpAfterError(`Run "${nameOf(command)} --help" to see what is possible.`)
  }
  try {
    await program.parseAsync(withoutHandedOn(words), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
}

/** A package manager hands its own `--` on: `pnpm start -- --port 0` arrives as `serve -- --port 0`. */
function withoutHandedOn(words: readonly string[]): readonly string[] {
  if (words[0] === '--') return withoutHandedOn(words.slice(1))
  return words[0] === 'serve' && words[1] === '--' ? ['serve', ...words.slice(2)] : words
}

function nameOf(command: Command): string {
  return command.parent === null ? 'junctor' : `junctor ${command.name()}`
}
