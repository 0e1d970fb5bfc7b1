import { closeSync, openSync } from 'node:fs'
import { signalCodes } from './signal-codes.ts'

/** Waits for a request to end from the operating system or the terminal. */
export interface StopSignals {
  /** Resolves with the first signal. The second signal ends the process immediately. */
  readonly first: Promise<NodeJS.Signals>
}

/**
 * Handles SIGINT and SIGTERM for the rest of the process's life, and SIGHUP when it says that the terminal is closed:
 * a process that went on would keep its port, and nobody would see it.
 *
 * @param hasTerminal whether the process still has a terminal
 */
export function createStopSignals(target: NodeJS.Process, hasTerminal: () => boolean = isTerminalOpen): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let asked = false
  for (const [signal, code] of Object.entries(signalCodes)) {
    target.on(signal as NodeJS.Signals, () => {
      if (asked) target.exit(code)
      asked = true
      resolve(signal as NodeJS.Signals)
    })
  }
  if (target.stderr.isTTY) {
    target.on('SIGHUP', () => {
      if (!hasTerminal()) resolve('SIGHUP')
    })
  }
  return { first: promise }
}

function isTerminalOpen(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
