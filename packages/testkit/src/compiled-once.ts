import { fileURLToPath } from 'node:url'

/**
 * The environment of a program that tests start again and again: what Node compiled for one start serves the next, in the
 * place where `bin/junctor` keeps it.
 */
export const compiledOnce: Readonly<Record<'NODE_COMPILE_CACHE', string>> = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/junctor', import.meta.url)),
}
