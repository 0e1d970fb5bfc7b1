import type { CompletedCommand, CompletedOption } from './words-of.ts'

/** Shells that scripts are made for. */
export const shells = ['bash', 'zsh', 'fish'] as const

/** A script that makes the shell complete `junctor`. */
export function completionScript(shell: (typeof shells)[number], commands: readonly CompletedCommand[]): string {
  return { bash, zsh, fish }[shell](commands)
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options, choices }) => {
    const values = options.flatMap(({ names, takes }) => {
      if (takes === 'nothing') return []
      const found =
        takes === 'file' ? 'COMPREPLY=($(compgen -f -- "$word"))' : takes === 'text' ? 'COMPREPLY=()' : words(takes)
      return [`        ${names.join('|')}) ${found}; return ;;`]
    })
    return [
      `    ${name})`,
      '      case "$before" in',
      ...values,
      '        *) ;;',
      '      esac',
      `      ${words([...options.flatMap(({ names }) => names.slice(0, 1)), ...choices])}`,
      '      ;;',
    ].join('\n')
  })
  return `# Completes junctor in bash.
_junctor() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${words(commands.map(({ name }) => name))}
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
}
complete -F _junctor junctor
`
}

function words(candidates: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${candidates.join(' ')}" -- "$word"))`
}

function zsh(commands: readonly CompletedCommand[]): string {
  const described = commands.map(
    ({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(':', ' ')}`)}`,
  )
  const cases = commands.map(({ name, options, choices }) => {
    const specs = options.flatMap((option) => option.names.map((flag) => quoted(zshSpec(flag, option))))
    const argument = choices.length === 0 ? [] : [quoted(`1:value:(${choices.join(' ')})`)]
    return `    ${name}) _arguments ${[...specs, ...argument].join(' ')} ;;`
  })
  return `#compdef junctor
# Completes junctor in zsh.
_junctor() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local chosen=$words[2]
  shift words
  (( CURRENT-- ))
  case $chosen in
${cases.join('\n')}
  esac
}
_junctor "$@"
`
}

function zshSpec(flag: string, { description, takes }: CompletedOption): string {
  const said = description.replaceAll(/[[\]:]/g, ' ')
  if (takes === 'nothing') return `${flag}[${said}]`
  const values = takes === 'file' ? '_files' : takes === 'text' ? ' ' : `(${takes.join(' ')})`
  return `${flag}[${said}]:value:${values}`
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, options, choices }) => [
    `complete -c junctor -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
    ...options.map((option) => fishOption(name, option)),
    ...(choices.length === 0
      ? []
      : [`complete -c junctor -n '__fish_seen_subcommand_from ${name}' -f -a ${quoted(choices.join(' '))}`]),
  ])
  return `# Completes junctor in fish.\n${lines.join('\n')}\n`
}

function fishOption(command: string, { names, description, takes }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const values =
    takes === 'nothing'
      ? ''
      : takes === 'file'
        ? ' -r -F'
        : takes === 'text'
          ? ' -x'
          : ` -x -a ${quoted(takes.join(' '))}`
  return `complete -c junctor -n '__fish_seen_subcommand_from ${command}' ${flags.join(' ')}${values} -d ${quoted(description)}`
}

/** In single quotes, for all three. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
