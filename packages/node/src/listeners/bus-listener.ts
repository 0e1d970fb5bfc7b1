import { JunctorError } from '@junctor/protocol'
import { busLimitNames, chosen } from '../limits.ts'
import type { Bus } from '../open-fabric.ts'
import type { ClientListenerParts, OpenFront } from './client-listener.ts'
import { ignoresPermissions } from './ignores-permissions.ts'

const faultyServer =
  'this nats-server lets clients send on subjects that they may not use (CVE-2026-33249): update it to 2.11.15, 2.12.6 or newer'

/**
 * Serves clients on the bus as soon as the node is a member of its cluster. Resolves when the node is subscribed, or
 * when it is known that it must not be yet. Rejects with `CONFIG_INVALID` when there is no bus, or with `CLOSED`.
 *
 * @param fronts receives the closer
 * @param closing aborts when the node begins to close; then nothing is opened any more
 */
export async function openBusListener(
  { config, front, frame, shares, log }: ClientListenerParts,
  fronts: Set<OpenFront>,
  bus: Bus | undefined,
  closing: AbortSignal,
): Promise<void> {
  if (bus === undefined) {
    throw new JunctorError('CONFIG_INVALID', 'listen.nats needs fabric.nats: add it, or leave listen.nats out')
  }
  const { connection, cluster } = bus
  const { createNatsFront } = await import('@junctor/transport-nats/front')
  if (closing.aborted) throw new JunctorError('CLOSED', 'expected a node that is open, got one that was closed')
  const forget = bus.whenMember(() => {
    const limits = { ...chosen(config.limits, busLimitNames), frame }
    fronts.add(createNatsFront({ front, connection, cluster, limits, log, shares }))
    log.info('clients on NATS are served', { cluster })
    const version = connection.info?.version ?? ''
    if (ignoresPermissions(version)) log.warn(faultyServer, { version })
  })
  fronts.add({ close: async () => forget() })
  await connection.flush()
}
