import type { Command } from 'commander'
import { createQuestions } from '../report/questions.ts'
import type { AddOptions } from './add-options.ts'
import { addTarget } from './add-target.ts'
import { add } from './add.ts'
import { isProgramHere } from './is-program-here.ts'

/** Adds what the user typed to the configuration. The words after a program are its own; all others are options. */
export async function runAdd(
  process: NodeJS.Process,
  command: Command,
  [word = '', ...words]: readonly string[],
): Promise<void> {
  const isHere = (program: string): boolean => isProgramHere(program, process.env, process.platform)
  const target = addTarget(word, isHere, words)
  if (target.kind !== 'command') ownOptions(command, word, words, target.kind === 'registered')
  const { input = [], ...rest } = command.opts<Omit<AddOptions, 'input'> & Partial<Pick<AddOptions, 'input'>>>()
  const { stdin, stderr } = process
  const questions = stdin.isTTY && stderr.isTTY && rest.yes !== true ? createQuestions(process) : undefined
  try {
    process.exitCode = await add(target, { input, ...rest }, { process, questions, isHere })
  } finally {
    questions?.close()
  }
}

/**
 * Reads the options after a name, a file or a URL, where the words of a program would stand.
 *
 * @param isServer whether the word before is read as the name of a server, because there is no such program
 */
function ownOptions(command: Command, word: string, words: readonly string[], isServer: boolean): void {
  const { operands, unknown } = command.parseOptions([...words])
  const [odd] = [...operands, ...unknown]
  if (odd === '--help' || odd === '-h') command.help()
  if (odd === undefined) return
  const why = isServer ? '. There is no such program here, so that it is read as the name of a server' : ''
  command.error(`error: expected only options of junctor add after ${word}, got ${JSON.stringify(odd)}${why}`)
}
