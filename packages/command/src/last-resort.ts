import type { Log } from '@junctor/contracts'

/** What knows whose code left an error: a node of `createNode` or `createWorker`. */
export interface Blamed {
  /** Logs and counts the error. Gives the name of the backend whose plugin left it; undefined: nobody's, as far as is known. */
  uncaught(error: unknown): string | undefined
}

/** What becomes of an error that nobody has caught. */
export interface LastResort {
  /** Resolves with the first error that the process must end for. It then has a while to end in order. */
  readonly failed: Promise<unknown>
  /** From now on this node is asked whose fault an error is. */
  watch(node: Blamed): void
}

/** How long a process that must end has to end in order, in milliseconds; then it ends at once. */
const lastResortMs = 30_000

/** What a process ends with that has failed. */
const failedCode = 1

/**
 * Takes over what nobody has caught, for the rest of the process's life. A promise that was rejected, and whatever a plugin
 * leaves, is logged and counted, and all else goes on. Any other exception means that something may be half done: the
 * process is to end in order, and ends at once with the second one, or when it takes too long; with exit code 1.
 */
export function createLastResort(
  process: Pick<NodeJS.Process, 'on' | 'exit'>,
  log: Log,
  boundMs: number = lastResortMs,
): LastResort {
  const failed = Promise.withResolvers<unknown>()
  let node: Blamed | undefined
  let isFailing = false

  const blame = (error: unknown): string | undefined => {
    if (node !== undefined) return node.uncaught(error)
    log.error('nobody caught an error', { error })
    return undefined
  }

  process.on('unhandledRejection', (error) => void blame(error))
  process.on('uncaughtException', (error) => {
    if (blame(error) !== undefined) return
    if (isFailing) process.exit(failedCode)
    isFailing = true
    log.error('this node ends, because it may be in disorder: what is under way is answered first', { boundMs })
    setTimeout(() => process.exit(failedCode), boundMs).unref()
    failed.resolve(error)
  })

  return {
    failed: failed.promise,
    watch(watched) {
      node = watched
    },
  }
}
