import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = resolve(import.meta.dirname, '../../..')

/**
 * The file that Node runs for a program of this repository, which is given as its source. A run of all tests has built those
 * that start often, which then start up to three times faster: the folder is in the variable `TEST_PROGRAMS`. For all others,
 * and in every other run, it is the source.
 */
export function programFile(source: URL): string {
  const file = fileURLToPath(source)
  const built = process.env['TEST_PROGRAMS']
  if (built === undefined) return file
  const program = join(built, relative(repository, file).replace(/\.ts$/, '.js'))
  return existsSync(program) ? program : file
}
