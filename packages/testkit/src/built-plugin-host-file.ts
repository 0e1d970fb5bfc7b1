import { dirname, join } from 'node:path'
import { junctorProgram } from './junctor-program.ts'

/**
 * The program of a plugin's own process, as it is published: beside the built `junctor` command. A whole test run has this
 * function in the place of the one in `@junctor/node`, which names the sources.
 */
export function pluginHostFile(): string {
  return join(dirname(junctorProgram), 'plugin-host.js')
}
