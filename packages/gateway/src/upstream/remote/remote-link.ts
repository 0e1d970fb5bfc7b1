import type { ErrorOutcome, Exchange, NotificationBody, Outcome } from '@junctor/exchange'
import {
  type CacheHints,
  type CallFabric,
  type Link,
  type ListKind,
  readData,
  type ServerInfo,
} from '@junctor/contracts'
import {
  edit,
  isJsonObject,
  items,
  type JsonObject,
  type JsonValue,
  type Payload,
  type Request,
} from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import { linkMethods, type ListNotes, listNotesSchema, type Opened, printLinkNotification } from './link-protocol.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import { linkControlService, linkService } from '../../nodes/service-names.ts'
import type { DerivedExchange } from '../../shared/derived-exchange.ts'
import { isLost } from '../../shared/errors.ts'
import { ownExchange } from '../../shared/own-exchange.ts'

/** How errors describe a holder of links that is gone: a node, or a process of this node. */
export interface LostHolder {
  /** Why its links ended. */
  error(): Error
  /** Added to the error of a call that may have run there. */
  readonly details: JsonObject
}

/** The link at the other node, how calls get there, and how its end is noticed. */
export interface RemoteLinkParts extends Opened {
  readonly fabric: CallFabric
  readonly backend: string
  /** Lasts as long as the link is open on its node; its end closes the link there. */
  readonly hold: DerivedExchange
  /** Returns ids for this node's own exchanges. */
  readonly nextId: () => string
  /** Resolves when the link, or its node, is gone. */
  readonly ended: Promise<Error | undefined>
  /** Resolves when its node is about to leave: running calls continue. */
  readonly left: Promise<Error>
  readonly lost: LostHolder
}

/** A link that another node holds. */
export class RemoteLink implements Link {
  readonly server: ServerInfo
  readonly closed: Promise<Error | undefined>
  readonly #parts: RemoteLinkParts
  readonly #requests: { readonly service: string; readonly node: string }
  readonly #control: { readonly service: string; readonly node: string }
  readonly #lost = Promise.withResolvers<Error>()
  readonly #notes = new Map<ListKind, ListNotes>()
  #gone = false
  #closing: Promise<void> | undefined

  constructor(parts: RemoteLinkParts) {
    const { link, node, server } = parts
    this.#parts = parts
    this.server = server
    this.#requests = { service: linkService(link), node }
    this.#control = { service: linkControlService(link), node }
    void parts.ended.then(() => (this.#gone = true))
    this.closed = Promise.race([parts.ended, parts.left, this.#lost.promise]).then((error) =>
      this.#closing === undefined ? error : undefined,
    )
  }

  async list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    signal.throwIfAborted()
    let notes: ListNotes = {}
    const exchange = ownExchange(this.#parts.nextId(), this.#parts.hold.context, {
      chunk(data): undefined {
        const read = readData(listNotesSchema, data)
        if (read.kind === 'read') notes = read.value
      },
    })
    const stop = (): void => exchange.end('cancelled')
    signal.addEventListener('abort', stop)
    try {
      const outcome = await this.#ask(nodeRequest(linkMethods.list, kind), exchange)
      signal.throwIfAborted()
      if (outcome.kind === 'complete') {
        this.#notes.set(kind, notes)
        return items(outcome.result)
      }
      if (isLost(outcome)) {
        if (outcome.loss === 'unsent') await this.#loseNode()
        throw this.#parts.lost.error()
      }
      const why = outcome.kind === 'error' ? outcome.error.message : outcome.kind
      throw new JunctorError('BACKEND_REFUSED', `${this.#parts.backend} did not list its ${kind}: ${why}`)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  hints(kind: ListKind): CacheHints | undefined {
    return this.#notes.get(kind)?.hints
  }

  listProblem(kind: ListKind): string | undefined {
    return this.#notes.get(kind)?.problem
  }

  call(request: Request, exchange: Exchange): Promise<Outcome> {
    const { fabric } = this.#parts
    return fabric
      .call(this.#requests, request, exchange)
      .then((outcome) => (outcome.kind === 'error' ? this.#failed(outcome) : outcome))
  }

  notify(notification: NotificationBody): void {
    void this.#ask(
      { ...nodeRequest(linkMethods.notify), params: printLinkNotification(notification) },
      this.#exchange(),
    )
  }

  present(callerToken: string): void {
    void this.#ask(nodeRequest(linkMethods.present, callerToken), this.#exchange())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (!this.#gone) await this.#ask(nodeRequest(linkMethods.close), this.#exchange())
    // The link has ended by now, unless the node was gone.
    this.#parts.hold.end('disconnected')
    await this.#parts.ended
  }

  #ask(request: Request, exchange: Exchange): Promise<Outcome> {
    return this.#parts.fabric.call(this.#control, request, exchange)
  }

  #exchange(): DerivedExchange {
    return ownExchange(this.#parts.nextId(), this.#parts.hold.context)
  }

  /** Adds the name of the backend, which errors of the fabric do not contain. */
  async #failed(outcome: ErrorOutcome): Promise<Outcome> {
    const { backend } = this.#parts
    const { data } = outcome.error
    const details = data?.value() as JsonValue | undefined
    if (data === undefined || !isJsonObject(details) || details['backend'] !== undefined) return outcome
    const { reason } = details
    if (reason !== 'backend_unavailable' && reason !== 'backend_exited') return outcome
    if (reason === 'backend_unavailable') await this.#loseNode()
    const lost = reason === 'backend_exited' ? this.#parts.lost.details : {}
    return { ...outcome, error: { ...outcome.error, data: edit(data, { backend, ...lost }) } }
  }

  /** The node does not know the link any more, or is about to leave: new calls go elsewhere immediately. */
  async #loseNode(): Promise<void> {
    // If the link still exists there, it is no longer needed.
    void this.#ask(nodeRequest(linkMethods.leave), this.#exchange())
    this.#lost.resolve(this.#parts.lost.error())
    // A caller that retries after the failure must not get this link again.
    await this.closed
  }
}
