import type { CompletedCommand, CompletedOption, CompletedValue } from './completed-command.ts'

/** Completion for fish: `junctor completion fish | source`. */
export function fishScript(program: CompletedCommand): string {
  const { name, commands } = program
  const lines = [
    `# Completion of ${name} for fish.`,
    `complete -c ${name} -f`,
    ...program.options.map((option) => line(name, '__fish_use_subcommand', optionWords(option))),
    ...commands.flatMap((command) => [
      line(name, '__fish_use_subcommand', `-a ${command.name} -d ${quoted(command.description)}`),
      ...command.options.map((option) => line(name, seen(command), optionWords(option))),
      ...command.words
        .slice(-1)
        .flatMap((value) =>
          value.kind === 'choices' ? [line(name, seen(command), `-a ${quoted(value.choices.join(' '))}`)] : [],
        ),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function line(program: string, condition: string, words: string): string {
  return `complete -c ${program} -n ${quoted(condition)} ${words}`
}

function seen({ name }: CompletedCommand): string {
  return `__fish_seen_subcommand_from ${name}`
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
