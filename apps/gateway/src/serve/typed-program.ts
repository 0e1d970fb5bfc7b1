import { isAbsolute, relative } from 'node:path'

/** The file that a clone runs, under the root of the clone. */
const cloned = /[\\/]apps[\\/]gateway[\\/]src[\\/]main\.ts$/

/**
 * How one types this program in a terminal: `junctor` where it is installed, and the `bin/junctor` of a clone.
 *
 * @param program the file that runs (`process.argv[1]`)
 * @param folder the working directory
 */
export function typedProgram(program: string, folder: string): string {
  if (!cloned.test(program)) return 'junctor'
  const file = program.replace(cloned, '/bin/junctor')
  const near = relative(folder, file)
  return near.startsWith('..') || isAbsolute(near) ? file : near
}
