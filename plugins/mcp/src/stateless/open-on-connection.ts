import { JunctorError, type Link, type Receiver, type Transport } from '@junctor/plugin-sdk/link'
import { type EraMemory, type ServerEra, triesHandshakeFirst } from '../link/era-memory.ts'
import { openMcpLink, openMcpLinkOn } from '../connection/mcp-link.ts'
import type { ConnectionLinkOptions } from './connection-link-options.ts'
import { EraProbe, type ProbeEnd } from './era-probe.ts'
import { openHandshakeFirst } from './open-handshake-first.ts'
import { foreignServer } from './read-discovery.ts'
import { startStateless } from './start-stateless.ts'

/**
 * Opens a link on a connection, to a server of any era (2026-07-28, stdio, "Backward Compatibility"): in the era of its
 * owner, if the server speaks it. A server whose era is not known is asked on the connection of its first link. One that
 * ends because of the question gets another connection, without it.
 */
export async function openOnConnection(
  options: ConnectionLinkOptions,
  era: EraMemory,
  signal: AbortSignal,
): Promise<Link> {
  if (era.speaks('stateless') === false) return openMcpLink({ ...options, correlates: false }, signal)
  signal.throwIfAborted()
  if (triesHandshakeFirst(era, options.scope.era)) {
    return (await openHandshakeFirst(options, era, signal)) ?? openUnasked(options, era, signal)
  }
  const probe = new EraProbe()
  const transport = await options.connect(probe)
  const end = await askEra(probe, transport, era, signal)
  const opened = await openAs(end, probe, transport, options, signal)
  if (era.choice === 'stateless' && opened.era !== 'stateless') {
    await (opened.link ?? transport).close()
    throw new JunctorError('BACKEND_REFUSED', 'Expected a server of 2026-07-28')
  }
  if (opened.link !== undefined) {
    learn(era, opened.era)
    return opened.link
  }
  await transport.close()
  // The server did not survive what came after its late answer, or took the handshake as well.
  if (probe.found !== undefined) {
    learn(era, 'stateless')
    return openOnConnection(options, era, signal)
  }
  return openUnasked(options, era, signal)
}

/** Opens another connection to a server that did not survive the question: without it. */
async function openUnasked(options: ConnectionLinkOptions, era: EraMemory, signal: AbortSignal): Promise<Link> {
  const link = await openMcpLink({ ...options, correlates: false }, signal)
  learn(era, 'handshake')
  return link
}

/** The server was asked whether it is stateless, and has answered. */
function learn(era: EraMemory, found: ServerEra): void {
  era.learn(found, true)
  if (found === 'handshake') era.learn('stateless', false)
}

/** Asks a server for its era. One that is known to have no handshake is waited for. Rejects with the connection closed. */
async function askEra(probe: EraProbe, transport: Transport, era: EraMemory, signal: AbortSignal): Promise<ProbeEnd> {
  try {
    probe.ask(transport)
    const end = await probe.soon(signal)
    return end.kind === 'silent' && era.speaks('stateless') === true ? await probe.late(signal) : end
  } catch (error) {
    await transport.close()
    throw error
  }
}

/** A link on the connection of the question. Undefined: it cannot be used for that. */
interface Opened {
  readonly link: Link | undefined
  readonly era: ServerEra
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
    throw foreignServer(end.versions)
  }
  if (end.kind === 'stateless') return { link: startStateless(end.server, probe, transport, options), era: 'stateless' }
  const connect = (receiver: Receiver): Transport => {
    probe.passTo(receiver)
    return transport
  }
  try {
    const link = await openMcpLinkOn({ ...options, correlates: false, connect }, signal)
    // A server of both eras that starts slowly is opened again, in the other one.
    const answer = end.kind === 'silent' ? await probe.soon(signal) : end
    return { link: answer.kind === 'stateless' ? undefined : link, era: 'handshake' }
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
