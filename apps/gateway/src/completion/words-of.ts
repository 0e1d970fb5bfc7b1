import type { Command, Option } from 'commander'

/** An option, as a shell completes it. */
export interface CompletedOption {
  /** `--config`, `-c`. */
  readonly names: readonly string[]
  readonly description: string
  readonly takes: 'nothing' | 'file' | 'text' | readonly string[]
}

/** A command, as a shell completes it. */
export interface CompletedCommand {
  readonly name: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  /** What its first argument may be, when that is known. */
  readonly choices: readonly string[]
}

/** The commands of a program. */
export function wordsOf(program: Command): readonly CompletedCommand[] {
  const help: CompletedOption = { names: ['--help', '-h'], description: 'display help for command', takes: 'nothing' }
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionOf), help],
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }))
}

function optionOf({ long, short, description, flags, argChoices }: Option): CompletedOption {
  const names = [long, short].filter((name) => name !== undefined && name !== null)
  const [value] = /<(\w+)>/.exec(flags)?.slice(1) ?? []
  return {
    names,
    description,
    takes: value === undefined ? 'nothing' : (argChoices ?? (value === 'file' ? 'file' : 'text')),
  }
}
