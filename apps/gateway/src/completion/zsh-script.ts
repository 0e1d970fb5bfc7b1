import type { CompletedCommand, CompletedOption, CompletedValue } from './completed-command.ts'

/** Completion for zsh: `source <(junctor completion zsh)`, or a file `_junctor` in a folder of `fpath`. */
export function zshScript(program: CompletedCommand): string {
  const name = `_${program.name.replace(/\W/g, '_')}`
  return `#compdef ${program.name}
# Completion of ${program.name} for zsh.
${groups(name, program)}
if [[ \${funcstack[1]} == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program.name}; fi
`
}

/** The function of a command that has others below it, after the functions of those. */
function groups(name: string, command: CompletedCommand): string {
  const below = command.commands.filter(({ commands }) => commands.length > 0)
  const functions = below.map((group) => groups(`${name}_${group.name}`, group))
  const described = command.commands.map((each) => `    ${quoted(`${each.name}:${each.description}`)}`)
  return [
    ...functions,
    `${name}() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  local state line
  _arguments -C \\
${specs(command)} \\
    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
${command.commands.map((each) => commandCase(name, each)).join('\n')}
      esac ;;
  esac
}`,
  ].join('\n')
}

function commandCase(group: string, command: CompletedCommand): string {
  if (command.commands.length > 0) return `        ${command.name}) ${group}_${command.name} ;;`
  const words = command.words.map((value) => `'*: :${action(value)}'`).slice(-1)
  const all = [specs(command), ...words.map((word) => `    ${word}`)].filter((text) => text !== '')
  return `        ${command.name}) _arguments \\\n${all.join(' \\\n')} ;;`
}

function specs({ options }: CompletedCommand): string {
  return options.flatMap((option) => option.names.map((name) => `    ${spec(name, option)}`)).join(' \\\n')
}

function spec(name: string, { description, value }: CompletedOption): string {
  const shown = `[${description.replace(/[\\[\]:]/g, '\\$&')}]`
  return quoted(value === undefined ? `${name}${shown}` : `${name}${shown}: :${action(value)}`)
}

function action(value: CompletedValue): string {
  if (value.kind === 'choices') return `(${value.choices.join(' ')})`
  return value.kind === 'file' ? '_files' : ' '
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
