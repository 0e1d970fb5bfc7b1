import { JunctorError } from '@junctor/protocol'

/** How a child process exited. */
export interface ChildExit {
  /** Its exit code; null when a signal ended it. */
  readonly code: number | null
  /** The signal that ended it; null when it exited. */
  readonly signal: NodeJS.Signals | null
}

/** A child process ended, or closed its input or output, without a request from this side. */
export class ChildExited extends JunctorError {
  /** Undefined when the child was still running: it had closed its input or output. */
  readonly exit: ChildExit | undefined
  /** The last lines of its stderr, for the log. */
  readonly stderr: readonly string[]

  constructor(backend: string, exit: ChildExit | undefined, stderr: readonly string[], options?: ErrorOptions) {
    super('BACKEND_EXITED', `Backend "${backend}" ${describe(exit)}`, options)
    this.exit = exit
    this.stderr = stderr
  }
}

function describe(exit: ChildExit | undefined): string {
  if (exit === undefined) return 'closed its input or output'
  return exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`
}
