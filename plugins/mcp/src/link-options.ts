import type { Client, Log, Scope, Tell } from '@junctor/plugin-sdk/link'

/** What every link of a backend is made with. */
export interface LinkOptions {
  /** The backend's name, for errors. */
  readonly backend: string
  readonly scope: Scope
  readonly client: Client
  readonly log: Log
  /** Told of what the server sent that cannot be used. */
  readonly tell: Tell
}
