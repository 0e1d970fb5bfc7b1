import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import type { Failure } from './failure-of.ts'

/** Gateways that may be backends of each other, the one that people start among them. */
const deepest = 4

/**
 * Marks this process, and with it the programs that it starts as backends, as one that runs this configuration: in the
 * variable `JUNCTOR_CHAIN`, which backends inherit. A gateway below itself would start itself without end, so that it is
 * refused, as is one more gateway below four others.
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

/** One file has one mark, by whatever links it is reached. What cannot be read is told by who reads it. */
function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
