import { signalCodes } from './signal-codes.ts'

/**
 * Ends the first process of a container at SIGINT and SIGTERM, as long as no other listener handles them. Linux ignores a
 * signal that such a process does not handle: a gateway that was asked to end while it was loading would start, and serve
 * until it is killed with its calls. Other processes end without this. Call it first in a program.
 */
export function endAtEarlySignals(process: Pick<NodeJS.Process, 'pid' | 'on' | 'listenerCount' | 'exit'>): void {
  if (process.pid !== 1) return
  for (const [signal, code] of Object.entries(signalCodes)) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code)
    })
  }
}
