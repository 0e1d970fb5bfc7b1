import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { askedCommand } from './asked-command.ts'
import type { CommandMaker } from './commands/command-maker.ts'
import { commands } from './commands/commands.ts'
import { exitCodes } from '@junctor/command/exit'

const help = `
Examples:
  junctor serve                          the demo, if there is no junctor.yaml
  junctor init                           write a junctor.yaml with the servers of your MCP clients
  junctor add io.github.acme/weather     add a server of the MCP registry
  junctor check                          check the file, and every backend in it
  junctor serve --config junctor.yaml

Exit codes:
  ${exitCodes.done}  done
  ${exitCodes.failed}  failed
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used
  ${exitCodes.listen}  the address to listen on is not available
  ${exitCodes.backend}  a backend cannot be used`

/** Runs the command line of a process. `given` are the words after the names of the program and its file. */
export async function runProgram(given: readonly string[], process: NodeJS.Process): Promise<void> {
  const words = withoutSeparator(given)
  const program = new Command('junctor')
    .description('A gateway for the Model Context Protocol: many servers behind one address.')
    .version(manifest.version)
    // Words after a program that `junctor add` is given are the program's.
    .enablePositionalOptions()
    .addHelpText('after', help)
  for (const make of await wantedCommands(words)) program.addCommand(make(process))
  for (const command of withSubcommands(program)) {
    command.configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
    })
    command.exitOverride().showHelpAfterError(`Run "${nameOf(command)} --help" to see what is possible.`)
  }
  try {
    await program.parseAsync(askedCommand(program, words), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const [, file] = /Expected 0 arguments but got \d+: (\S+\.(?:ya?ml|json))\b/i.exec(error.message) ?? []
    if (file !== undefined) process.stderr.write(`To name the configuration: --config ${file}\n`)
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
}

/** The command that is named; all commands for help, completion and unknown words; none for the version. */
function wantedCommands([first = '']: readonly string[]): Promise<readonly CommandMaker[]> {
  if (first === '--version' || first === '-V') return Promise.resolve([])
  const isOne = Object.hasOwn(commands, first) && first !== 'completion'
  const names = isOne ? [first] : Object.keys(commands)
  return Promise.all(names.flatMap((name) => commands[name]?.() ?? []))
}

/** Removes the `--` that a package manager passes on: `pnpm start -- --port 0` arrives as `serve -- --port 0`. */
function withoutSeparator(words: readonly string[]): readonly string[] {
  if (words[0] === '--') return withoutSeparator(words.slice(1))
  return words[0] === 'serve' && words[1] === '--' ? ['serve', ...words.slice(2)] : words
}

/** A command with all commands below it. */
function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}
