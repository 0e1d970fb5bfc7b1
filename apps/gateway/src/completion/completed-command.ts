import type { Argument, Command, Option } from 'commander'

/** What may stand where a value is wanted: one of a few words, the name of a file, or anything. */
export type CompletedValue =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'anything' }

export interface CompletedOption {
  /** `-c` and `--config`: at least one. */
  readonly names: readonly string[]
  readonly description: string
  /** Absent: it takes none. */
  readonly value: CompletedValue | undefined
}

/** A command as a shell needs to know it. */
export interface CompletedCommand {
  readonly name: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  /** What its words are that are no options; the last one also stands for all that follow. */
  readonly words: readonly CompletedValue[]
  readonly commands: readonly CompletedCommand[]
}

/** Reads a program that is put together: what its help shows, nothing hidden. */
export function completedCommand(command: Command): CompletedCommand {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const names = commands.map((each) => each.name())
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(completedOption),
    words: command.registeredArguments.map(argumentValue),
    // What commander adds itself: its word is the name of a command.
    commands: commands.map((each) =>
      each.name() === 'help'
        ? { ...completedCommand(each), words: [{ kind: 'choices', choices: names }] }
        : completedCommand(each),
    ),
  }
}

function completedOption(option: Option): CompletedOption {
  const names = [option.short, option.long].filter((name) => name !== undefined)
  const takesValue = option.required || option.optional
  const placeholder = /[<[]([^\]>.]*)/.exec(option.flags)?.[1] ?? ''
  const value = takesValue ? valueOf(option.argChoices, placeholder) : undefined
  return { names, description: option.description, value }
}

function argumentValue(argument: Argument): CompletedValue {
  return valueOf(argument.argChoices, argument.name())
}

function valueOf(choices: readonly string[] | undefined, placeholder: string): CompletedValue {
  if (choices !== undefined) return { kind: 'choices', choices }
  return placeholder === 'file' ? { kind: 'file' } : { kind: 'anything' }
}
