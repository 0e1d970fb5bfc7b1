import type { Receiver, Transport } from '@junctor/plugin-sdk/link'
import type { LinkOptions } from '../link/link-options.ts'

/** The options of a link that has a connection of its own. */
export interface ConnectionLinkOptions extends LinkOptions {
  /** Opens a connection to the server. */
  readonly connect: (receiver: Receiver) => Transport | Promise<Transport>
}
