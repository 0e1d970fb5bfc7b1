import type { Log } from '@junctor/contracts'

/** Knows whose code caused an error: a node of `createNode` or `createWorker`. */
export interface ErrorOwner {
  /**
   * Logs and counts the error. Returns the name of the backend whose plugin caused it; undefined when no plugin is
   * known to have caused it.
   */
  uncaught(error: unknown): string | undefined
}

/** Handles errors that no other code has caught. */
export interface LastResort {
  /** Resolves with the first error that must end the process. The process then has a limited time to shut down. */
  readonly failed: Promise<unknown>
  /** From now on this node is asked whose fault an error is. */
  watch(node: ErrorOwner): void
}

/** How long a failing process may take to shut down, in milliseconds. Then it ends immediately. */
const lastResortMs = 30_000

/** The exit code of a process that has failed. */
const failedCode = 1

/**
 * Handles uncaught errors for the rest of the process's life. A rejected promise, and any error of a plugin, is logged
 * and counted, and the process continues. After any other exception, some state may be incomplete: the process shuts
 * down with exit code 1. It ends immediately at the second such exception, or when the shutdown takes too long.
 */
export function createLastResort(process: Pick<NodeJS.Process, 'on' | 'exit' | 'exitCode'>, log: Log): LastResort {
  const failed = Promise.withResolvers<unknown>()
  let node: ErrorOwner | undefined
  let isFailing = false

  const blame = (error: unknown): string | undefined => {
    if (node !== undefined) return node.uncaught(error)
    log.error('an error was not caught', { error })
    return undefined
  }

  process.on('unhandledRejection', (error) => void blame(error))
  process.on('uncaughtException', (error) => {
    if (blame(error) !== undefined) return
    if (isFailing) process.exit(failedCode)
    isFailing = true
    process.exitCode = failedCode
    log.error('this node ends, because it may be in disorder: what is under way is answered first', {
      boundMs: lastResortMs,
    })
    setTimeout(() => process.exit(failedCode), lastResortMs).unref()
    failed.resolve(error)
  })

  return {
    failed: failed.promise,
    watch(watched) {
      node = watched
    },
  }
}
