import type { Log, Emit } from '@junctor/contracts'
import type { WebSocketLimits } from '../options.ts'

/** The options of a client. */
export interface WebSocketClientOptions {
  /** The backend's name: in logs and errors. */
  readonly backend: string
  /** The server's endpoint, `ws:` or `wss:`. Redirects are not followed. */
  readonly url: string
  /**
   * Sent when a connection is opened: credentials and other headers of the configuration. No header of a client is
   * sent.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** The limits that differ from `defaultBackLimits`. */
  readonly limits?: Partial<WebSocketLimits>
  readonly log: Log
  /** Called for input from the server that is not a message. */
  readonly emit: Emit
}
