import type { CompletedCommand, CompletedOption, CompletedValue } from './completed-command.ts'

/** Completion for bash, 3.2 and later: `eval "$(junctor completion bash)"`. */
export function bashScript(program: CompletedCommand): string {
  const all = [{ ...program, name: '' }, ...commandsBelow(program)]
  const known = all.slice(1).map((command) => `'${command.name.includes(' ') ? '' : ' '}${command.name}'`)
  const name = `_${program.name.replace(/\W/g, '_')}`
  return `# Completion of ${program.name} for bash.
${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= options= words= index
  # bash takes "--port=1" apart.
  if [[ $current == = ]]; then current=; fi
  if [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command \${COMP_WORDS[index]}" in
      ${known.join(' | ')}) command="\${command:+$command }\${COMP_WORDS[index]}" ;;
    esac
  done
  local IFS=$' \\t\\n'
  COMPREPLY=()
  case "$command:$before" in
${all.flatMap((command) => command.options.flatMap((option) => valueCase(command.name, option))).join('\n')}
  esac
  case $command in
${all.map(commandCase).join('\n')}
  esac
  if [[ $current == -* || -z $words ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F ${name} ${program.name}
`
}

function valueCase(command: string, { names, value }: CompletedOption): readonly string[] {
  if (value === undefined) return []
  return [`    ${names.map((name) => `'${command}:${name}'`).join(' | ')}) ${replies(value)} ;;`]
}

/** The shell code that completes a value, and nothing else. */
function replies(value: CompletedValue): string {
  switch (value.kind) {
    case 'choices':
      return `COMPREPLY=($(compgen -W '${value.choices.join(' ')}' -- "$current")); return`
    case 'file':
      return `${files}; return`
    case 'anything':
      break
  }
  return 'return'
}

/** Names may contain spaces. Before bash 4 there is no compopt, and folders get a space after them. */
const files = `IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null`

function commandCase({ name, options, words: [word], commands }: CompletedCommand): string {
  const below = commands.map((command) => command.name.split(' ').at(-1))
  const choices = below.length > 0 ? below : word?.kind === 'choices' ? word.choices : []
  const flags = options.flatMap((option) => option.names)
  return `    '${name}') options='${flags.join(' ')}' words='${choices.join(' ')}' ;;`
}

/** All commands below a command, with the whole path as the name: `plugin`, `plugin new`. */
function commandsBelow({ commands }: CompletedCommand): readonly CompletedCommand[] {
  return commands.flatMap((command) => [
    command,
    ...commandsBelow(command).map((below) => ({ ...below, name: `${command.name} ${below.name}` })),
  ])
}
