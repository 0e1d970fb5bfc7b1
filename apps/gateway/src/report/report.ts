import type { Failure } from '@junctor/command'
import type { Problem } from '@junctor/config'

/** How a backend did at the start. */
export interface StartedBackend {
  readonly name: string
  readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
  /** Under the names that clients use. */
  readonly tools: readonly string[]
  readonly failure: Failure | undefined
}

/** The admin port. */
export interface ReadyAdmin {
  readonly url: string
  /** A command that looks inside; absent where no token was set. */
  readonly command: string | undefined
}

/** Where clients find the gateway. */
export interface Ready {
  /** Absent: the one client is on standard input and output. */
  readonly http: string | undefined
  /** Where whoever runs it looks inside. */
  readonly admin: ReadyAdmin | undefined
  readonly backends: readonly StartedBackend[]
  /** A command that shows it at work. */
  readonly example: string | undefined
}

/** Tells whoever started the command how the start went. The last of it says that the gateway is ready, or why not. */
export interface Report {
  starting(backends: readonly string[]): void
  /** The last word: clients may come. */
  ready(ready: Ready): void
  /** The last word: the configuration cannot be used. */
  invalid(problems: readonly Problem[]): void
  /** The last word: it could not be started, or could not go on. */
  failed(failure: Failure): void
}
