import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import type { Failure } from './failure-of.ts'

/** The maximum length of a chain of gateways that are backends of each other, including the first one. */
const deepest = 4

/**
 * Marks this process, and the programs that it starts as backends, as running this configuration. The mark is in the
 * variable `JUNCTOR_CHAIN`, which backends inherit. A gateway below itself would start itself endlessly, so it is
 * refused. A gateway below four others is refused too.
 *
 * @param file the configuration; `undefined` for the demo
 * @param env the environment of this process, which is changed
 * @returns why it must not start, else `undefined`
 */
export function enterChain(file: string | undefined, env: NodeJS.ProcessEnv): Failure | undefined {
  const above = (env['JUNCTOR_CHAIN'] ?? '').split(',').filter((mark) => mark !== '')
  const shown = file ?? 'the demo'
  const mark = createHash('sha256').update(realPath(shown)).digest('hex').slice(0, 16)
  if (above.includes(mark)) {
    return {
      message: `${shown} is served by a gateway that started this one as its backend: it would start itself without end`,
      next: `Take the backend that starts junctor out of ${shown}.`,
    }
  }
  if (above.length >= deepest) {
    return {
      message: `this gateway is a backend of a gateway that is itself a backend, ${above.length} deep; ${deepest} are possible`,
      next: 'Let one of them have the backends of the others.',
    }
  }
  env['JUNCTOR_CHAIN'] = [...above, mark].join(',')
  return undefined
}

/**
 * Returns the canonical path, so that a file has one mark for all links to it. Reading the configuration reports a file
 * that cannot be read.
 */
function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
