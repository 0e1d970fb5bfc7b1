import { createSdkClientTransport, type SdkTransport } from '@junctor/transport-nats'
import { connectToBus } from '../canaries/connect-to-bus.ts'
import type { BusAddress } from './official-client.ts'

/** A channel on the bus, with its own connection. */
export async function openBusTransport({ server, cluster }: BusAddress): Promise<{
  readonly transport: SdkTransport
  readonly end: () => Promise<void>
}> {
  const connection = await connectToBus({ servers: server })
  const transport = createSdkClientTransport({ connection, cluster, client: 'official' })
  return {
    transport,
    async end() {
      await transport.close()
      await connection.close()
    },
  }
}
