import { JunctorError, type Link, type Receiver, type ServerInfo, type Transport } from '@junctor/plugin-sdk/link'
import type { EraMemory } from '../era-memory.ts'
import type { LinkOptions } from '../link-options.ts'
import { openMcpLink, openMcpLinkOn } from '../mcp-link.ts'
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
  const opened = await openAs(end, probe, transport, options, signal)
  if (era.choice === 'stateless' && opened.era !== 'stateless') {
    await (opened.link ?? transport).close()
    throw new JunctorError('BACKEND_REFUSED', 'Expected a server of 2026-07-28')
  }
  if (opened.link !== undefined) {
    era.learn(opened.era)
    return opened.link
  }
  await transport.close()
  // The server did not survive what came after its late answer.
  if (probe.found !== undefined) {
    era.learn('stateless')
    return openOnConnection(options, era, signal)
  }
  // The server did not survive the question.
  const older = await openMcpLink({ ...options, correlates: false }, signal)
  era.learn('handshake')
  return older
}

/** A link on the connection of the question. Undefined: it cannot be used for that. */
interface Opened {
  readonly link: Link | undefined
  readonly era: 'stateless' | 'handshake'
}

/** Opens a link on the connection of the question. Rejects with the connection closed. */
async function openAs(
  end: ProbeEnd,
  probe: EraProbe,
  transport: Transport,
  options: ConnectionLinkOptions,
  signal: AbortSignal,
): Promise<Opened> {
  if (end.kind === 'gone') return { link: undefined, era: 'handshake' }
  if (end.kind === 'foreign') {
    await transport.close()
    throw new JunctorError('BACKEND_REFUSED', `The server speaks only ${end.versions.join(', ')}`)
  }
  if (end.kind === 'stateless') return { link: startStateless(end.server, probe, transport, options), era: 'stateless' }
  const connect = (receiver: Receiver): Transport => {
    probe.passTo(receiver)
    return transport
  }
  try {
    return { link: await openMcpLinkOn({ ...options, correlates: false, connect }, signal), era: 'handshake' }
  } catch (error) {
    // A server that starts slowly may refuse the handshake before it answers the question.
    const late = await probe.soon(signal).catch(async () => {
      await transport.close()
      throw error
    })
    if (late.kind === 'stateless' && !probe.gone) {
      return { link: startStateless(late.server, probe, transport, options), era: 'stateless' }
    }
    // The question may have disturbed the server.
    return { link: undefined, era: 'handshake' }
  }
}

function startStateless(
  server: ServerInfo,
  probe: EraProbe,
  transport: Transport,
  options: ConnectionLinkOptions,
): Link {
  const wire: PeerWire = new PeerWire(transport, (notification) => link.unrelated(notification))
  const link = new StatelessLink({ ...options, wire, server })
  probe.passTo(wire)
  link.start()
  return link
}
