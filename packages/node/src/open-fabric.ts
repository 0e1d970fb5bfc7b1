import type { FabricConfig } from '@junctor/config'
import type { ErrorReporter, Fabric, Log, UnreadableReporter } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric, steadyTime } from '@junctor/fabric'
import type { NatsFrontOptions } from '@junctor/transport-nats/front'
import { createCertificateWarnings } from './certificate-warnings.ts'

/** A connection to NATS, and the cluster on it. */
export interface Bus extends Pick<NatsFrontOptions, 'connection' | 'cluster'> {
  /**
   * Calls `then` once the node has a key of the cluster, immediately or later. The returned function cancels the call.
   * Before that, the node could not serve clients, while other nodes could.
   */
  whenMember(then: () => void): () => void
}

/** A fabric, and the connection that carries it. */
export interface OpenedFabric {
  readonly fabric: Fabric
  /** The bus that clients may also use. Absent: the fabric has no bus. */
  readonly bus?: Bus
  /**
   * Reads what another configuration renews: the credentials for NATS. The returned function applies it, from the next
   * connection on. Throws `CONFIG_INVALID` for what cannot be used.
   */
  readonly renew: (next: FabricConfig) => () => void
  close(): Promise<void>
}

/** Of a fabric without credentials. */
export const unchanging: Pick<OpenedFabric, 'renew'> = { renew: () => () => {} }

/** Where a fabric reports. */
export interface FabricReports {
  readonly log: Log
  /** Called with errors that the fabric's loops have caught. */
  readonly reportError: ErrorReporter
  /** Called with data of other nodes that the fabric cannot read. */
  readonly unreadable: UnreadableReporter
}

/**
 * Opens the fabric that a configuration asks for. Rejects with a `JunctorError` when NATS is not available or not
 * usable.
 */
export async function openFabric(config: FabricConfig, reports: FabricReports): Promise<OpenedFabric> {
  const { log, reportError } = reports
  if (config === 'memory') {
    const fabric = createMemoryFabric(createMemoryBus(steadyTime, reportError))
    return { ...unchanging, fabric, close: () => fabric.close() }
  }
  // The imports are lazy, because most nodes have no NATS and start faster without them.
  const [{ connectNats, readNatsCredentials }, { createNatsFabric }] = await Promise.all([
    import('@junctor/nats'),
    import('@junctor/fabric-nats'),
  ])
  const { cluster, key, replicas } = config.nats
  // What is on this stack is closed in reverse order: immediately when a later step fails, else by `close`.
  await using opened = new AsyncDisposableStack()
  const certificates = createCertificateWarnings('fabric.nats.tls', 'servers', log)
  opened.defer(() => certificates.close())
  let credentials = readNatsCredentials(config.nats)
  certificates.use({ cert: config.nats.tls?.cert ?? '' })
  const connection = await connectNats(config.nats, log, () => credentials)
  opened.defer(() => connection.close())
  const fabric = await createNatsFabric({ connection, cluster, keys: key, replicas, ...reports })
  opened.defer(() => fabric.close())
  const parts = opened.move()
  return {
    fabric,
    bus: { connection, cluster, whenMember: (then) => fabric.whenMember(then) },
    renew(next) {
      if (next === 'memory') return () => {}
      const renewed = readNatsCredentials(next.nats)
      return () => {
        credentials = renewed
        certificates.use({ cert: next.nats.tls?.cert ?? '' })
      }
    },
    close: () => parts.disposeAsync(),
  }
}
