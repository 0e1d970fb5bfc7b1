import type { Log } from '@junctor/contracts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { createLastResort, type ErrorOwner, type LastResort } from './last-resort.ts'
import { createStopSignals } from './stop-signals.ts'

/** A process that waits for signals, and whose uncaught errors are handled. */
export interface WatchedProcess {
  readonly lastResort: LastResort
  /** Resolves with the exit code at the first signal, or at the first error that must end the process. */
  readonly stop: Promise<ExitCode>
}

/**
 * Handles SIGINT, SIGTERM, the end of the terminal and uncaught errors for the rest of the process's life. Logs the signal
 * that ends the process, because the end may take long.
 *
 * @param owner knows whose errors they are until `lastResort.watch` names another: there is no node yet
 */
export function watchProcess(process: NodeJS.Process, log: Log, owner: ErrorOwner): WatchedProcess {
  const lastResort = createLastResort(process, log)
  lastResort.watch(owner)
  const stop = Promise.race([
    createStopSignals(process).first.then((signal) => {
      log.info('stopping: requests under way are finished first; a second signal stops it immediately', { signal })
      return exitCodes.done
    }),
    lastResort.failed.then(() => exitCodes.failed),
  ])
  return { lastResort, stop }
}
