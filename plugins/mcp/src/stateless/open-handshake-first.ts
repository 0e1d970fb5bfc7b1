import { JunctorError, type Link, type Receiver, settlesWithin, type Transport } from '@junctor/plugin-sdk/link'
import type { EraMemory } from '../link/era-memory.ts'
import { openMcpLinkOn } from '../connection/mcp-link.ts'
import type { ConnectionLinkOptions } from './connection-link-options.ts'
import { EraProbe, type ProbeEnd } from './era-probe.ts'
import { foreignServer } from './read-discovery.ts'
import { startStateless } from './start-stateless.ts'

/**
 * How long a server may be silent on a handshake before it is asked for its era too, in milliseconds. Many programs take
 * seconds to start, and an old one may not survive the question.
 */
const silentMs = 3_000

/** How long a handshake may take longer than the answer to the question, in milliseconds. */
const lateMs = 1_000

/** What a server has made of a handshake. */
type HandshakeEnd =
  | { readonly kind: 'link'; readonly link: Link }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'silent' }

/**
 * Opens a link with a handshake. Only a server that refuses it, or does not answer it for a while, is asked on the same
 * connection whether it speaks 2026-07-28, and then gets a link without one. Undefined: it did not survive the question.
 */
export async function openHandshakeFirst(
  options: ConnectionLinkOptions,
  era: EraMemory,
  signal: AbortSignal,
): Promise<Link | undefined> {
  const attempt = await HandshakeAttempt.start(options, signal)
  try {
    const first = await attempt.within(silentMs)
    if (first.kind === 'link') {
      era.learn('handshake', true)
      return first.link
    }
    const opened =
      first.kind === 'failed' ? await attempt.afterRefusal(first.error, era) : await attempt.whileSilent(era)
    if (opened === undefined) await attempt.close()
    return opened
  } catch (error) {
    await attempt.close()
    throw error
  }
}

/** One connection, with a handshake on it and then perhaps the question for the era. */
class HandshakeAttempt {
  readonly #options: ConnectionLinkOptions
  readonly #signal: AbortSignal
  readonly #probe: EraProbe
  readonly #transport: Transport
  /** Gives the handshake up, when the server is opened without one. */
  readonly #given = new AbortController()
  readonly #end: Promise<HandshakeEnd>

  private constructor(options: ConnectionLinkOptions, signal: AbortSignal, probe: EraProbe, transport: Transport) {
    this.#options = options
    this.#signal = signal
    this.#probe = probe
    this.#transport = transport
    const connect = (receiver: Receiver): Transport => {
      probe.passTo(receiver)
      return transport
    }
    this.#end = openMcpLinkOn(
      { ...options, correlates: false, connect },
      AbortSignal.any([signal, this.#given.signal]),
    ).then(
      (link) => ({ kind: 'link', link }),
      (error: unknown) => ({ kind: 'failed', error }),
    )
  }

  static async start(options: ConnectionLinkOptions, signal: AbortSignal): Promise<HandshakeAttempt> {
    const probe = new EraProbe()
    return new HandshakeAttempt(options, signal, probe, await options.connect(probe))
  }

  close(): Promise<void> {
    this.#given.abort()
    return this.#transport.close()
  }

  /** The end of the handshake, or `silent` when it takes longer. */
  async within(ms: number): Promise<HandshakeEnd> {
    return (await settlesWithin(this.#end, ms)) ? this.#end : { kind: 'silent' }
  }

  /** A link to a server that takes no handshake. Rejects when it is not of 2026-07-28 either. */
  async afterRefusal(error: unknown, era: EraMemory): Promise<Link> {
    const isRefused = error instanceof JunctorError && error.code === 'BACKEND_REFUSED'
    if (this.#signal.aborted || !isRefused) throw error
    this.#probe.ask(this.#transport)
    const found = await this.#probe.soon(this.#signal)
    if (found.kind === 'stateless') return this.#stateless(found, era)
    throw found.kind === 'foreign' ? foreignServer(found.versions) : error
  }

  /**
   * A link to a server that has not answered the handshake yet: with what it answers first, the handshake or the question.
   * Undefined: the question has ended it.
   */
  async whileSilent(era: EraMemory): Promise<Link | undefined> {
    this.#probe.ask(this.#transport)
    const first = await Promise.race([this.#end, this.#probe.late(this.#signal)])
    // A server of both eras may answer the question before the handshake, and an old one may end with its answer to both.
    const end = first.kind === 'stateless' ? await this.within(lateMs) : await this.#end
    const found = await this.#probe.soon(this.#signal)
    if (found.kind === 'gone') return undefined
    if (end.kind === 'link') {
      era.learn('handshake', true)
      if (found.kind === 'older') era.learn('stateless', false)
      return end.link
    }
    if (found.kind === 'stateless') return this.#stateless(found, era)
    if (end.kind === 'silent') return undefined
    throw found.kind === 'foreign' ? foreignServer(found.versions) : end.error
  }

  #stateless({ server }: Extract<ProbeEnd, { kind: 'stateless' }>, era: EraMemory): Link {
    this.#given.abort()
    era.learn('stateless', true)
    era.learn('handshake', false)
    return startStateless(server, this.#probe, this.#transport, this.#options)
  }
}
