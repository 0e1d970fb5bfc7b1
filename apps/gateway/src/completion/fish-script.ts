import type { CompletedCommand, CompletedOption, CompletedValue } from './completed-command.ts'

/** Completion for fish: `junctor completion fish | source`. */
export function fishScript(program: CompletedCommand): string {
  const { name } = program
  const lines = [
    `# Completion of ${name} for fish.`,
    `complete -c ${name} -f`,
    ...program.options.map((option) => line(name, '__fish_use_subcommand', optionWords(option))),
    ...program.commands.flatMap((command) => commandLines(name, '__fish_use_subcommand', [], command)),
  ]
  return `${lines.join('\n')}\n`
}

/**
 * The lines of one command.
 *
 * @param before holds where its name is expected
 * @param path the names of the commands above it
 */
function commandLines(
  program: string,
  before: string,
  path: readonly string[],
  { name, description, options, words, commands }: CompletedCommand,
): readonly string[] {
  const whole = [...path, name]
  const seen = whole.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
  const others = commands.map((command) => command.name).join(' ')
  const none = `${seen}; and not __fish_seen_subcommand_from ${others}`
  const choices = words.slice(-1).flatMap((value) => (value.kind === 'choices' ? [value.choices.join(' ')] : []))
  return [
    line(program, before, `-a ${name} -d ${quoted(description)}`),
    ...options.map((option) => line(program, commands.length > 0 ? none : seen, optionWords(option))),
    ...choices.map((all) => line(program, seen, `-a ${quoted(all)}`)),
    ...commands.flatMap((command) => commandLines(program, none, whole, command)),
  ]
}

function line(program: string, condition: string, words: string): string {
  return `complete -c ${program} -n ${quoted(condition)} ${words}`
}

function optionWords({ names, description, value }: CompletedOption): string {
  const words = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return [...words, ...(value === undefined ? [] : [valueWords(value)]), `-d ${quoted(description)}`].join(' ')
}

/** The flags for a required value (`-r`, `-x`), with its possible values. */
function valueWords(value: CompletedValue): string {
  if (value.kind === 'choices') return `-x -a ${quoted(value.choices.join(' '))}`
  return value.kind === 'file' ? '-r -F' : '-x'
}

/** Quotes a text for fish. Inside single quotes, only two characters need an escape. */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, String.raw`\$&`)}'`
}
