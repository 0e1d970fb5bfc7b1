import { connect, type NatsConnection, type NodeConnectionOptions, type PublishOptions } from '@nats-io/transport-node'
import { publishMessage } from './seen-messages.ts'

/** What a connection does its work with, which the library does not show. */
interface Inside {
  protocol: {
    publish(subject: string, data?: string | Uint8Array, options?: PublishOptions): void
    /** `data` are the headers, in their form on the wire, and the payload. */
    processMsg(message: { readonly hdr: number }, data: Uint8Array): void
  }
}

/**
 * Connects a client under test to a nats-server, and publishes its messages as
 * `SeenMessage`. A further subscriber could not do that: the nodes would take it for a reader that is gone.
 */
export async function connectToBus(options: NodeConnectionOptions): Promise<NatsConnection> {
  const connection = await connect(options)
  const { protocol } = connection as unknown as Inside
  const publish = protocol.publish.bind(protocol)
  const processMsg = protocol.processMsg.bind(protocol)
  protocol.publish = (subject, data = '', more = {}) => {
    const headers = more.headers === undefined ? [] : [...more.headers]
    publishMessage({ peer: connection, way: 'bus', direction: 'sent', headers, text: Buffer.from(data).toString() })
    publish(subject, data, more)
  }
  protocol.processMsg = (message, data) => {
    publishMessage({ peer: connection, way: 'bus', direction: 'received', text: Buffer.from(data).toString() })
    processMsg(message, data)
  }
  return connection
}
