import type { Msg, MsgHdrs } from '@nats-io/transport-node'

/**
 * The headers of a message. Malformed headers count as none: servers forward any bytes, reading them throws, and an
 * exception in the callback of a subscription would stop its whole connection.
 */
export function headersOf(message: Pick<Msg, 'headers'>): MsgHdrs | undefined {
  try {
    return message.headers
  } catch {
    return undefined
  }
}
