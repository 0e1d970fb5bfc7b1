import type { Log, Tell } from '@junctor/contracts'
import type { WebSocketLimits } from '../options.ts'

/** What a client is made of. */
export interface WebSocketClientOptions {
  /** The backend's name: in logs and errors. */
  readonly backend: string
  /** The server's endpoint, `ws:` or `wss:`. Redirects are not followed. */
  readonly url: string
  /** Sent when a connection is opened: credentials and what else the server wants. Nothing of a client's is ever sent. */
  readonly headers?: Readonly<Record<string, string>>
  /** What differs from `defaultBackLimits`. */
  readonly limits?: Partial<WebSocketLimits>
  readonly log: Log
  /** Told of what the server sent that is no message. */
  readonly tell: Tell
}
