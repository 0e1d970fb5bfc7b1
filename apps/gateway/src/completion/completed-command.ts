import type { Argument, Command, Option } from 'commander'

/** The possible values of an option or argument: one of a few words, a file name, or anything. */
export type CompletedValue =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'anything' }

/** An option of a command, as completion scripts need it. */
export interface CompletedOption {
  /** `-c` and `--config`: at least one. */
  readonly names: readonly string[]
  readonly description: string
  /** Absent: the option takes no value. */
  readonly value: CompletedValue | undefined
}

/** A command, with everything that a shell needs to complete it. */
export interface CompletedCommand {
  readonly name: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  /** Its arguments; the last one also applies to all further words. */
  readonly words: readonly CompletedValue[]
  readonly commands: readonly CompletedCommand[]
}

/** Reads a complete program: everything that its help shows, without hidden options. */
export function completedCommand(command: Command): CompletedCommand {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const names = commands.map((each) => each.name())
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(completedOption),
    words: command.registeredArguments.map(argumentValue),
    // Commander adds the help command itself; its argument is the name of a command.
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
