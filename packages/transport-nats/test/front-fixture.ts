import { silentLog } from '@junctor/contracts'
import { createSampleFront, type NatsServer, type SampleFront } from '@junctor/testkit'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { onTestFinished } from 'vitest'
import { createNatsFront, type FrontLimits, type NatsFront } from '../src/front/index.ts'

export interface Served {
  readonly front: SampleFront
  readonly server: NatsFront
  readonly connection: NatsConnection
}

/** A gateway on the bus, closed after the test. */
export async function serve({ url }: Pick<NatsServer, 'url'>, limits: Partial<FrontLimits> = {}): Promise<Served> {
  const connection = await connect({ servers: url })
  const front = createSampleFront()
  const server = createNatsFront({ front, connection, cluster: 'test', limits, log: silentLog })
  await connection.flush()
  onTestFinished(async () => {
    await server.close(0)
    await connection.close()
  })
  return { front, server, connection }
}
