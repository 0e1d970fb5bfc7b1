import { headers, type NatsConnection } from '@nats-io/transport-node'
import { connectToBus } from './canaries/connect-to-bus.ts'
import type { BusUnderTest } from './gateway-under-test.ts'

/** A client on the bus by hand: each text is one message or one batch. */
export interface BusChannel {
  readonly send: (text: string) => void
  /** The received texts. A text that was not taken counts as unread for the gateway. */
  readonly texts: AsyncGenerator<string>
  /** The texts on another subject, such as the subject of a stream. */
  readonly at: (subject: string) => AsyncGenerator<string>
  readonly close: () => Promise<void>
}

/** Requests a channel from the gateways. */
export async function openBusChannel({ server, cluster }: BusUnderTest): Promise<BusChannel> {
  const root = `mcp.v1.${cluster}.default.wire`
  const connection = await connectToBus({ servers: server, inboxPrefix: `${root}.reply` })
  const answer = await connection.request(`${root}.open`, '', { timeout: 10_000 })
  const channel = answer.json<{ in: string; out: string }>()
  const texts = textsOf(connection, channel.out)
  await connection.flush()
  return {
    texts,
    at: (subject) => textsOf(connection, subject),
    send: (text) => connection.publish(channel.in, text),
    async close() {
      const goodbye = headers()
      goodbye.set('Junctor-Close', 'done')
      connection.publish(channel.in, '', { headers: goodbye })
      await connection.drain()
    },
  }
}

function textsOf(connection: NatsConnection, subject: string): AsyncGenerator<string> {
  const subscription = connection.subscribe(subject)
  const read = async function* (): AsyncGenerator<string> {
    let parts: Uint8Array[] = []
    for await (const { data, headers: info, reply = '' } of subscription) {
      if (data.length === 0) {
        if (reply !== '' && info?.has('Junctor-Close') !== true) connection.publish(reply)
        continue
      }
      parts.push(data)
      if (info?.has('Junctor-More') === true) continue
      const text = Buffer.concat(parts).toString()
      parts = []
      yield text
    }
  }
  return read()
}
