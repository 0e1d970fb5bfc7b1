import { createSdkClientTransport, type SdkTransport } from '@junctor/transport-nats'
import { connect } from '@nats-io/transport-node'
import type { BusDoor } from './official-client.ts'

/** A channel on the bus, with its own connection. */
export async function openBusTransport({ server, cluster }: BusDoor): Promise<{
  readonly transport: SdkTransport
  readonly end: () => Promise<void>
}> {
  const connection = await connect({ servers: server })
  const transport = createSdkClientTransport({ connection, cluster, client: 'official' })
  return {
    transport,
    async end() {
      await transport.close()
      await connection.close()
    },
  }
}
