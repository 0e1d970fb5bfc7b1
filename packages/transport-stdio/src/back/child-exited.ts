import { JunctorError } from '@junctor/protocol'

/** How a child process ended. */
export interface ChildExit {
  /** Its exit code, when it exited. */
  readonly code: number | null
  /** The signal that ended it, when it was ended by one. */
  readonly signal: NodeJS.Signals | null
}

/** A child process ended, or can no longer be spoken to, and nobody had asked for that. */
export class ChildExited extends JunctorError {
  /** Undefined when the child still ran: it had closed its input or output. */
  readonly exit: ChildExit | undefined
  /** The last lines that it wrote to stderr, for the log. */
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
