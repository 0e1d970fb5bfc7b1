import { silentLog } from '@junctor/contracts'
import { createSampleFront, type NatsServer, type SampleFront } from '@junctor/testkit'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { onTestFinished } from 'vitest'
import { createNatsFront, type FrontLimits, type NatsFront } from '../src/front/index.ts'

/** A front on the bus, and its connection to NATS. Both are closed after the test. */
interface Served {
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

/** A message of 60 KB: a few of them make a reader slow that does not answer. */
export const longEvent: string = `{"jsonrpc":"2.0","method":"x","params":{"text":"${'x'.repeat(60_000)}"}}`

/** Sends on the first stream of a front until its reader is slow. Resolves when the reader takes messages again. */
export function sendUntilSlow({ streams: [stream] }: Pick<SampleFront, 'streams'>): Promise<void> {
  let slow: Promise<void> | undefined
  while (slow === undefined) slow = stream?.send(longEvent, false)
  return slow
}
