import type { FabricConfig, NatsConfig } from '@junctor/config'
import type { Caught, Fabric, Log } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { NatsOptions } from '@junctor/nats'
import type { NatsFrontOptions } from '@junctor/transport-nats/front'

/** A connection to NATS, and the cluster on it. */
export interface Bus extends Pick<NatsFrontOptions, 'connection' | 'cluster'> {
  /**
   * Calls once the node has a key of the cluster, at once or later, unless what is returned is called before. Clients that
   * it took before then it could not serve, and others could.
   */
  whenMember(then: () => void): () => void
}

/** A fabric, and what it stands on. */
export interface OpenedFabric {
  readonly fabric: Fabric
  /** Where clients may live too. Absent: the fabric has no bus. */
  readonly bus?: Bus
  close(): Promise<void>
}

/**
 * The fabric that a configuration asks for. Rejects with a `JunctorError` when there is no NATS, or none that will do.
 *
 * @param caught told of what the fabric's loops have caught
 */
export async function openFabric(config: FabricConfig, log: Log, caught: Caught): Promise<OpenedFabric> {
  if (config === 'memory') {
    const fabric = createMemoryFabric(createMemoryBus(Date.now, caught))
    return { fabric, close: () => fabric.close() }
  }
  // Most nodes are alone, and start sooner without what they have no use for.
  const [{ connectNats }, { createNatsFabric }] = await Promise.all([
    import('@junctor/nats'),
    import('@junctor/fabric-nats'),
  ])
  const { cluster, key, replicas } = config.nats
  const connection = await connectNats(natsOptions(config.nats), log)
  try {
    const fabric = await createNatsFabric({ connection, cluster, keys: key, replicas, log, caught })
    return {
      fabric,
      bus: { connection, cluster, whenMember: (then) => fabric.whenMember(then) },
      async close() {
        await fabric.close()
        await connection.close()
      },
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

function natsOptions({ servers, user, password, token, nkey, credentials, tls }: NatsConfig): NatsOptions {
  const { ca, cert, key } = tls ?? {}
  return {
    servers,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(token !== undefined && { token }),
    ...(nkey !== undefined && { nkeySeed: nkey }),
    ...(credentials !== undefined && { credentials }),
    ...(tls !== undefined && {
      tls: { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
    }),
  }
}
