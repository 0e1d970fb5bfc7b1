import { connect, headers, type NatsConnection } from '@nats-io/transport-node'
import type { BusUnderTest } from './gateway-under-test.ts'

/** A client on the bus, by hand: one text is one message, or one batch. */
export interface BusChannel {
  readonly send: (text: string) => void
  /** What comes. What is not taken has not been read, as far as the gateway is told. */
  readonly texts: AsyncGenerator<string>
  /** What comes on another subject, such as that of a stream. */
  readonly at: (subject: string) => AsyncGenerator<string>
  readonly close: () => Promise<void>
}

/** Asks the gateways for a channel. */
export async function openBusChannel({ server, cluster }: BusUnderTest): Promise<BusChannel> {
  const root = `mcp.v1.${cluster}.default.wire`
  const connection = await connect({ servers: server, inboxPrefix: `${root}.reply` })
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
    for await (const { data, headers: said, reply = '' } of subscription) {
      if (data.length === 0) {
        if (reply !== '' && said?.has('Junctor-Close') !== true) connection.publish(reply)
        continue
      }
      parts.push(data)
      if (said?.has('Junctor-More') === true) continue
      const text = Buffer.concat(parts).toString()
      parts = []
      yield text
    }
  }
  return read()
}
