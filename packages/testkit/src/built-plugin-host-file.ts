import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { junctorProgram } from './junctor-program.ts'

/** The module that names the program of a plugin's own process. */
const named = /\/packages\/node\/src\/plugin-host-file\.ts$/

// A run of all tests loads this first, and has `pluginHostFile` below in the place of the one of `@junctor/node`: the
// program is built with the `junctor` command, and starts in a fifth of the time that its sources need.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return named.test(found.url) ? { ...found, url: import.meta.url } : found
  },
})

/** The program of a plugin's own process, as it is published: beside the built `junctor` command. */
export function pluginHostFile(): string {
  return join(dirname(junctorProgram), 'plugin-host.js')
}
