import { randomUUID } from 'node:crypto'
import type { CallFabric, Closer, Link, ListKind, UnreadableReporter } from '@junctor/contracts'
import type { EndListener, Exchange, Handler, Outcome } from '@junctor/exchange'
import { items, type Request } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { errorOf } from '@junctor/primitives'
import { emptyOutcome } from '../../shared/empty-outcome.ts'
import { errorFor, errorOutcome } from '../../shared/errors.ts'
import { nodeHandler } from '../../nodes/node-handler.ts'
import {
  leaving,
  linkMethods,
  type ListNotes,
  listKindSchema,
  notifySchema,
  presentSchema,
  printItems,
  printOpened,
} from './link-protocol.ts'
import { linkControlService, linkService } from '../../nodes/service-names.ts'

/** Called with what another node does with a link. */
export interface HostedLinkListener {
  /** @param ms the duration of the call, in milliseconds */
  called(outcome: Outcome, ms: number): void
  listed(kind: string, items: number): void
}

/** A link, and who uses it. */
export interface HostedLinkParts {
  readonly fabric: CallFabric
  readonly link: Link
  /** The exchange of the other node; the link lives as long as this exchange. */
  readonly hold: Exchange
  readonly listener: HostedLinkListener
  readonly unreadable: UnreadableReporter
}

/** A link of this node that another node uses. Only that node knows its id, which cannot be guessed. */
export class HostedLink implements EndListener {
  readonly id: string = randomUUID()
  /** The number of running requests. */
  calls = 0
  readonly #fabric: CallFabric
  readonly #link: Link
  readonly #hold: Exchange
  readonly #listener: HostedLinkListener
  readonly #list: Handler
  readonly #notify: Handler
  readonly #present: Handler
  #services: readonly Closer[] = []
  #leaving = false
  #closing: Promise<void> | undefined

  constructor({ fabric, link, hold, listener, unreadable }: HostedLinkParts) {
    this.#fabric = fabric
    this.#link = link
    this.#hold = hold
    this.#listener = listener
    this.#list = nodeHandler(listKindSchema, unreadable, (kind, exchange) => this.#listed(kind, exchange))
    this.#notify = nodeHandler(notifySchema, unreadable, (method, _exchange, { params }) => {
      this.#link.notify({ method, params: params === undefined ? undefined : items(params)[1] })
      return emptyOutcome
    })
    this.#present = nodeHandler(presentSchema, unreadable, (callerToken) => {
      this.#link.present?.(callerToken)
      return emptyOutcome
    })
  }

  /** Serves the link until either side closes it. Resolves with the error if it broke. */
  async serve(): Promise<Error | undefined> {
    const { node } = this.#fabric
    this.#services = await Promise.all([
      this.#fabric.serve(linkService(this.id), this.#call),
      this.#fabric.serve(linkControlService(this.id), this.#control),
    ])
    this.#hold.onEnd(this)
    void this.#hold.chunk(printOpened({ link: this.id, node, server: this.#link.server }))
    // Rejects only when a plugin is faulty.
    const error = await this.#link.closed.catch(errorOf)
    await Promise.all([this.close(), ...this.#services.map((service) => service.close())])
    return error
  }

  /** Called when the other node is gone, or has closed the link. */
  ended(): void {
    void this.close()
  }

  /** Asks the other node to use another link for new requests, and closes when the running requests have ended. */
  leave(): void {
    if (this.#leaving) return
    this.#leaving = true
    void this.#hold.chunk(leaving)
    if (this.calls === 0) void this.close()
  }

  close(): Promise<void> {
    // For the node that used it, a link that fails to close is gone anyway.
    this.#closing ??= this.#link.close().catch(() => undefined)
    return this.#closing
  }

  readonly #call: Handler = (request, exchange) => {
    if (this.#leaving) return this.#unavailable(request, exchange)
    const began = performance.now()
    const outcome = this.#link.call(request, exchange)
    if (outcome instanceof Promise) return this.#finished(outcome, began)
    this.#listener.called(outcome, performance.now() - began)
    return outcome
  }

  async #finished(work: Promise<Outcome>, began: number): Promise<Outcome> {
    this.calls += 1
    try {
      const outcome = await work
      this.#listener.called(outcome, performance.now() - began)
      return outcome
    } finally {
      this.calls -= 1
      if (this.calls === 0 && this.#leaving) void this.close()
    }
  }

  readonly #control: Handler = async (request, exchange) => {
    switch (request.method) {
      case linkMethods.list:
        return this.#list(request, exchange)
      case linkMethods.notify:
        return this.#notify(request, exchange)
      case linkMethods.present:
        return this.#present(request, exchange)
      case linkMethods.leave:
        this.leave()
        return emptyOutcome
      case linkMethods.close:
        await this.close()
        return emptyOutcome
      default:
        return errorOutcome(exchange.context, 'method_not_found')
    }
  }

  async #listed(kind: ListKind, exchange: Exchange): Promise<Outcome> {
    try {
      const list = await this.#link.list(kind, exchange.signal)
      this.#listener.listed(kind, list.length)
      const notes = this.#notes(kind)
      if (notes.hints !== undefined || notes.problem !== undefined) void exchange.chunk(notes)
      return { kind: 'complete', result: printItems(list) }
    } catch (error) {
      // The message goes to another node of the cluster and to operators, but not to clients.
      return errorOutcome(exchange.context, 'internal_error', errorOf(error).message)
    }
  }

  #notes(kind: ListKind): ListNotes {
    const [hints, problem] = [this.#link.hints?.(kind), this.#link.listProblem?.(kind)]
    return { ...(hints !== undefined && { hints }), ...(problem !== undefined && { problem }) }
  }

  /** The call was not run, so the caller may retry it on another node. */
  #unavailable({ dialect }: Request, { context }: Exchange): Outcome {
    return { kind: 'error', error: errorFor(context, dialect, mcpProfile, 'backend_unavailable'), loss: 'unsent' }
  }
}
