import { type MsgHdrs, headers } from '@nats-io/transport-node'

/** Headers as a program may send them that does not use a client library: their name has a space. */
export function malformedHeaders(): MsgHdrs {
  return Object.assign(headers(), { encode: () => Buffer.from('NATS/1.0\r\nno name: x\r\n\r\n') })
}
