import { readFileSync, realpathSync, statSync } from 'node:fs'
import type { Failure } from '@junctor/command'
import { writeNew, writeOver } from '../whole-file.ts'

/**
 * Replaces the content of a file in one step: a reader sees the old content or the new one. A link stays a link, and the
 * file keeps its permissions.
 *
 * @param before the content that the new one was made from; `undefined`: there must be no file
 */
export function replaceFile(file: string, before: string | undefined, text: string): Failure | undefined {
  try {
    if (before === undefined) {
      writeNew(file, text)
      return undefined
    }
    const real = realpathSync(file)
    if (readFileSync(real, 'utf8') !== before) {
      return { message: `${file} has changed in the meantime, and was not touched`, next: 'Run the command again.' }
    }
    writeOver(real, text, statSync(real).mode & 0o777)
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      return { message: `${file} is there already, and was not touched`, next: 'Run the command again.' }
    return { message: `${file} cannot be written: ${message}`, next: 'Name another file with --config.' }
  }
}
