import { JunctorError, type Link, type Receiver, type Transport } from '@junctor/plugin-sdk/link'
import type { EraMemory } from '../era-memory.ts'
import type { LinkOptions } from '../link-options.ts'
import { openMcpLink } from '../mcp-link.ts'
import { EraProbe, type ProbeEnd } from './era-probe.ts'
import { PeerWire } from './peer-wire.ts'
import { StatelessLink } from './stateless-link.ts'

export interface ConnectionLinkOptions extends LinkOptions {
  /** Opens a connection to the server. */
  readonly connect: (receiver: Receiver) => Transport | Promise<Transport>
}

/**
 * Opens a link on a connection, to a server of any era (2026-07-28, stdio, "Backward Compatibility"). A server whose era is
 * not known is asked on the connection of its first link. One that ends because of the question gets another connection,
 * without it.
 */
export async function openOnConnection(
  options: ConnectionLinkOptions,
  era: EraMemory,
  signal: AbortSignal,
): Promise<Link> {
  if (era.known === 'handshake') return openMcpLink({ ...options, correlates: false }, signal)
  signal.throwIfAborted()
  const probe = new EraProbe()
  const transport = await options.connect(probe)
  let end = await probe.ask(transport, signal).catch(async (error: unknown) => {
    await transport.close()
    throw error
  })
  if (end.kind === 'silent' && era.known === 'stateless') end = await probe.late(signal)
  const link = await openAs(end, probe, transport, options, signal)
  if (era.choice === 'stateless' && end.kind !== 'stateless') {
    await link?.close()
    throw new JunctorError('BACKEND_REFUSED', 'Expected a server of 2026-07-28')
  }
  if (link !== undefined) {
    era.learn(end.kind === 'stateless' ? 'stateless' : 'handshake')
    return link
  }
  await transport.close()
  // The server did not survive the question, or had a late answer to it.
  if (probe.found !== undefined) {
    era.learn('stateless')
    return openOnConnection(options, era, signal)
  }
  const older = await openMcpLink({ ...options, correlates: false }, signal)
  era.learn('handshake')
  return older
}

/** Opens a link on the connection of the question. Undefined: it cannot be used for that. */
async function openAs(
  end: ProbeEnd,
  probe: EraProbe,
  transport: Transport,
  options: ConnectionLinkOptions,
  signal: AbortSignal,
): Promise<Link | undefined> {
  if (end.kind === 'gone') return undefined
  if (end.kind === 'foreign') {
    await transport.close()
    throw new JunctorError('BACKEND_REFUSED', `The server speaks only ${end.versions.join(', ')}`)
  }
  if (end.kind === 'stateless') {
    const wire: PeerWire = new PeerWire(transport, (notification) => link.unrelated(notification))
    const link = new StatelessLink({ ...options, wire, server: end.server })
    probe.passTo(wire)
    link.start()
    return link
  }
  const connect = (receiver: Receiver): Transport => {
    probe.passTo(receiver)
    return transport
  }
  try {
    return await openMcpLink({ ...options, correlates: false, connect }, signal)
  } catch (error) {
    // The question may have disturbed the server.
    if (signal.aborted) throw error
    return undefined
  }
}
