import {
  createPeer,
  type EndReason,
  type Exchange,
  JunctorError,
  latestHandshake,
  type Link,
  type ListKind,
  type Message,
  methods,
  type Notification,
  type NotificationBody,
  type Outcome,
  type Payload,
  type Peer,
  type PeerHandler,
  Pending,
  type Request,
  type RequestId,
  type ServerInfo,
  type Transport,
} from '@junctor/plugin-sdk/link'
import { answerFor } from '../link/answer-for.ts'
import { cancellation } from '../link/cancellation.ts'
import { failedCall, lostCall } from '../link/errors.ts'
import { LastCancellation } from './last-cancellation.ts'
import { performHandshake } from '../link/handshake.ts'
import type { LinkOptions } from '../link/link-options.ts'
import { LinkLists } from '../link/link-lists.ts'
import { PeerCall, type PeerCallHost } from './peer-call.ts'
import { requestOnPeer } from './request-on-peer.ts'
import { reportUnhandled } from '../link/report-unhandled.ts'
import { UpstreamRelay } from '../link/upstream-relay.ts'
import { upstreamParams } from '../link/upstream-params.ts'

/** Receives messages of a transport. Some transports name the request of this side that caused a message. */
export interface CorrelatingReceiver {
  message(message: Message, cause?: RequestId): void
}

/** The transport of a link, and what it can say about its messages. */
export interface McpLinkOptions extends LinkOptions {
  /** Whether the transport names the request that caused a message. */
  readonly correlates: boolean
  /** Opens the transport, which passes each message that it reads to the receiver. */
  readonly connect: (receiver: CorrelatingReceiver) => Transport | Promise<Transport>
}

/**
 * Opens a link to an MCP server over a transport that is one connection: a child's pipes, HTTP+SSE, a WebSocket, a
 * server in this process. Rejects, with the transport closed, when the handshake does not succeed.
 */
export async function openMcpLink(options: McpLinkOptions, signal: AbortSignal): Promise<Link> {
  signal.throwIfAborted()
  let opened: Transport | undefined
  try {
    return await openMcpLinkOn(
      { ...options, connect: async (receiver) => (opened = await options.connect(receiver)) },
      signal,
    )
  } catch (error) {
    await opened?.close()
    throw error
  }
}

/** The same, but leaves the transport open when the handshake does not succeed. */
export async function openMcpLinkOn(options: McpLinkOptions, signal: AbortSignal): Promise<Link> {
  const link = new McpLink(options)
  await link.open(await options.connect(link), signal)
  return link
}

class McpLink implements Link, CorrelatingReceiver, PeerHandler, PeerCallHost {
  readonly backend: string
  server: ServerInfo = { revision: latestHandshake, capabilities: {}, info: {}, instructions: undefined }
  readonly #options: McpLinkOptions
  readonly #relay: UpstreamRelay
  readonly #peer: Peer
  readonly #closed = Promise.withResolvers<Error | undefined>()
  /** Calls by their upstream id, for transports that refer to them. */
  readonly #calls = new Pending<PeerCall>()
  #transport: Transport | undefined
  /** The exchange that caused the message that is being handled. */
  #cause: Exchange | undefined
  readonly #cancellation = new LastCancellation()
  readonly #lists = new LinkLists()
  /** Whether it takes no more calls, and passes on nothing that the server asks or says. */
  #over = false

  constructor(options: McpLinkOptions) {
    const { backend, scope, client, log, correlates } = options
    this.backend = backend
    this.#options = options
    this.#relay = new UpstreamRelay({ scope, client, log, correlates })
    this.#peer = createPeer({ handler: this, send: (message) => this.#transport?.send(message) })
  }

  get closed(): Promise<Error | undefined> {
    return this.#closed.promise
  }

  /** The handshake. */
  async open(transport: Transport, signal: AbortSignal): Promise<void> {
    this.#transport = transport
    void this.#watch(transport)
    const { scope, correlates } = this.#options
    this.server = await performHandshake(scope, correlates, (params) =>
      requestOnPeer(this.#peer, methods.initialize, params, signal),
    )
    await this.#peer.notify(methods.notificationsInitialized, undefined)
  }

  list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    return this.#lists.list(kind, this.server, (method, params) => requestOnPeer(this.#peer, method, params, signal))
  }

  listProblem(kind: ListKind): string | undefined {
    return this.#lists.problem(kind)
  }

  call(request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
    if (this.#over) return lostCall(request, exchange, 'unsent', this.backend)
    if (exchange.ended !== undefined) return failedCall(request, exchange, 'cancelled', { backend: this.backend })
    const token = exchange.wantsProgress ? this.#relay.nextToken() : undefined
    const call = new PeerCall(this, request, exchange, token)
    this.#relay.began(call)
    const params = upstreamParams(request.params, token, this.server, exchange.context.trace)
    call.id = this.#peer.call(request.method, params, call)
    if (this.#options.correlates && !call.over) this.#calls.set(call.id, call)
    exchange.onEnd(call)
    return call.outcome
  }

  notify({ method, params }: NotificationBody): void {
    void this.#peer.notify(method, params)
  }

  async close(): Promise<void> {
    this.#end(undefined)
    await this.#cancellation.over()
    await this.#transport?.close()
  }

  message(message: Message, cause?: RequestId): void {
    this.#cause = cause === undefined ? undefined : this.#calls.get(cause)?.exchange
    const { dropped } = this.#peer
    try {
      void this.#peer.receive(message)
    } catch (error) {
      reportUnhandled(this.#options, error, this.#cause)
    }
    if (this.#peer.dropped > dropped) {
      this.#options.emit({ kind: 'output_discarded', backend: this.backend, reason: 'late_answer' })
    }
    this.#cause = undefined
  }

  request(request: Request): void {
    if (this.#over) return
    this.#relay.request(request, this.#cause, (_id, given) => {
      void this.#peer.respond(request, answerFor(request, given, this.server.revision))
    })
  }

  notification(notification: Notification): void {
    if (this.#over) return
    this.#relay.notification(notification, this.#cause)
  }

  finished(call: PeerCall): void {
    this.#relay.finished(call)
    if (call.id !== undefined && this.#options.correlates) this.#calls.take(call.id)
  }

  cancel({ id, request }: PeerCall, reason: EndReason): void {
    if (id === undefined || !this.#peer.forget(id) || request.method === methods.initialize) return
    void this.#peer.notify(methods.notificationsCancelled, cancellation(id, reason))
    this.#cancellation.sent()
  }

  /** Settles everything when the transport ends. */
  async #watch(transport: Transport): Promise<void> {
    const error = await transport.closed
    this.#peer.close(error ?? new JunctorError('CLOSED', 'The link was closed'))
    this.#end(error)
  }

  #end(error: Error | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#relay.close()
    this.#closed.resolve(error)
  }
}
