import type { Command } from 'commander'

/**
 * Returns the words of a command line, so that a name that no command has is an error with every form of help: Commander
 * shows the help of the program instead. `help a b` becomes `a b --help`, and nothing after an unknown name is kept.
 */
export function askedCommand(program: Command, words: readonly string[]): readonly string[] {
  const [first, second = '-'] = words
  if (first === undefined || first.startsWith('-') || program.commands.length === 0) return words
  if (first === 'help') return second.startsWith('-') ? words : askedCommand(program, [...words.slice(1), '--help'])
  const below = program.commands.find((command) => command.name() === first)
  return [first, ...(below === undefined ? [] : askedCommand(below, words.slice(1)))]
}
