import type { Client, Log, Scope, Emit } from '@junctor/plugin-sdk/link'

/** The options of every link. */
export interface LinkOptions {
  /** The backend's name, for errors. */
  readonly backend: string
  readonly scope: Scope
  readonly client: Client
  readonly log: Log
  /** Called with the server's output that cannot be used. */
  readonly emit: Emit
}
