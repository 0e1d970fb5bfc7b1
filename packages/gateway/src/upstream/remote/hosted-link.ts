import { randomUUID } from 'node:crypto'
import type { Closer, Fabric, Link } from '@junctor/contracts'
import type { EndListener, Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { payloadOf } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { errorFor, upstreamError } from '../../shared/errors.ts'
import { leaving, linkMethods, printItems, printOpened, readListKind, readNotification } from './link-protocol.ts'
import { linkControlService, linkService } from '../../nodes/service-names.ts'

/** Hears what another node has done with a link. */
export interface HostedLinkListener {
  /** @param ms how long it took */
  called(outcome: Outcome, ms: number): void
  listed(kind: string, items: number): void
}

/** A link of this node that another node uses. Only that node knows its id, which cannot be guessed. */
export class HostedLink implements EndListener {
  readonly id: string = randomUUID()
  /** Requests under way. */
  calls = 0
  readonly #fabric: Fabric
  readonly #link: Link
  readonly #hold: Exchange
  readonly #listener: HostedLinkListener
  #services: readonly Closer[] = []
  #leaving = false
  #closing: Promise<void> | undefined

  /** @param hold the exchange of the other node that the link lives as long as */
  constructor(fabric: Fabric, link: Link, hold: Exchange, listener: HostedLinkListener) {
    this.#fabric = fabric
    this.#link = link
    this.#hold = hold
    this.#listener = listener
  }

  /** Serves it until it is closed, by either side; resolves with the error if it broke. */
  async serve(): Promise<Error | undefined> {
    const { node } = this.#fabric
    this.#services = await Promise.all([
      this.#fabric.serve(linkService(this.id), this.#call),
      this.#fabric.serve(linkControlService(this.id), this.#control),
    ])
    this.#hold.onEnd(this)
    void this.#hold.chunk(printOpened({ link: this.id, node, server: this.#link.server }))
    const error = await this.#link.closed
    await Promise.all([this.close(), ...this.#services.map((service) => service.close())])
    return error
  }

  /** The other node is gone, or wants no link any more. */
  ended(): void {
    void this.close()
  }

  /** Lets the other node go elsewhere with what comes next, and closes when the requests under way have ended. */
  leave(): void {
    if (this.#leaving) return
    this.#leaving = true
    void this.#hold.chunk(leaving)
    if (this.calls === 0) void this.close()
  }

  close(): Promise<void> {
    // A link that fails to close is gone all the same for the node that used it.
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
        this.#link.notify(readNotification(request.params))
        return done
      case linkMethods.leave:
        this.leave()
        return done
      case linkMethods.close:
        await this.close()
        return done
      default:
        return { kind: 'error', error: upstreamError(exchange.context, 'method_not_found') }
    }
  }

  async #list(request: Request, exchange: Exchange): Promise<Outcome> {
    const kind = readListKind(request.params)
    try {
      const list = await this.#link.list(kind, exchange.signal)
      this.#listener.listed(kind, list.length)
      return { kind: 'complete', result: printItems(list) }
    } catch (error) {
      // To another node of the cluster, which shows it to those who run the cluster, and to no client.
      return { kind: 'error', error: upstreamError(exchange.context, 'internal_error', messageOf(error)) }
    }
  }

  /** Not run, so it may be tried again, elsewhere. */
  #unavailable({ dialect }: Request, { context }: Exchange): Outcome {
    return { kind: 'error', error: errorFor(context, dialect, mcpProfile, 'backend_unavailable') }
  }
}

const done: Outcome = { kind: 'complete', result: payloadOf({}) }

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
