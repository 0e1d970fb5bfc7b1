import type { Failure } from '@junctor/command'
import type { Problem } from '@junctor/config'

/** The state of a backend at the start. */
export interface StartedBackend {
  readonly name: string
  readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
  /** The tools under their public names. */
  readonly tools: readonly string[]
  readonly failure: Failure | undefined
  /** A list that it did not give although it gave others, and whatever else `junctor check` warns of. */
  readonly warnings: readonly string[]
}

/** The admin port. */
export interface ReadyAdmin {
  readonly url: string
  /** A command that shows the status. Absent: no token is set. */
  readonly command: string | undefined
}

/** A gateway that clients can use. */
export interface Ready {
  /** Its name in the fabric. */
  readonly node: string
  /** The URL for clients. Absent: the single client uses standard input and output. */
  readonly http: string | undefined
  /** The admin port, for the operator. */
  readonly admin: ReadyAdmin | undefined
  readonly backends: readonly StartedBackend[]
  /** A command that calls the gateway as an example. */
  readonly example: string | undefined
}

/** Reports the start to the user of the command. The last call says that the gateway is ready, or why not. */
export interface Report {
  starting(backends: readonly string[]): void
  /** Last call: clients can connect. */
  ready(ready: Ready): void
  /** Last call: the configuration is invalid. */
  invalid(problems: readonly Problem[]): void
  /** Last call: the gateway could not start, or could not continue. */
  failed(failure: Failure): void
}
