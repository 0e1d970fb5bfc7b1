import type {
  Backend,
  CallFabric,
  Closer,
  Emit,
  Link,
  LinkEvent,
  Log,
  Scope,
  UnreadableReporter,
} from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import { errorOf } from '@junctor/primitives'
import { nodeHandler } from '../../nodes/node-handler.ts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { errorOutcome } from '../../shared/errors.ts'
import { codeOf } from '../links/link-errors.ts'
import type { NamedBackendHealth } from '../links/named-backend-health.ts'
import { HostedLink, type HostedLinkListener } from './hosted-link.ts'
import { linkMethods, printLinkEnd, scopeSchema } from './link-protocol.ts'
import type { BackendAbout } from './node-about.ts'

/** A backend whose links this node opens for other nodes. */
export interface HostedBackend {
  readonly name: string
  /** What this node announces about it. */
  readonly about: BackendAbout
  /** Its state, for gauges and status. */
  readonly health: NamedBackendHealth
  /** The results of the requests on its links so far. */
  readonly stats: HostedStats
  /** Opens no more links, and closes each link when its requests have ended. Resolves when all are closed. */
  drain(): Promise<void>
  /** Closes the links immediately. The backend itself stays open. */
  close(): Promise<void>
}

/** The ended requests, and their total duration. */
interface HostedStats {
  readonly requests: number
  readonly errors: number
  readonly ms: number
}

/** What a backend is served to other nodes with. */
export interface HostBackendParts {
  readonly fabric: CallFabric
  readonly log: Log
  readonly emit: Emit
  /** Called with requests of other nodes that this version cannot read. */
  readonly unreadable: UnreadableReporter
  /** Called when this node's announcement of the backend has changed. */
  readonly changed: () => void
}

/**
 * Opens links of a backend for any node that requests one, until `drain` or `close`. Resolves when other nodes can find
 * it.
 */
export async function hostBackend(
  { backend, maxLinks }: Pick<BackendEntry, 'backend' | 'maxLinks'>,
  parts: HostBackendParts,
): Promise<HostedBackend> {
  const host = new BackendHost(backend, maxLinks, parts)
  await host.serve()
  return host
}

class BackendHost implements HostedBackend, HostedLinkListener {
  readonly name: string
  readonly #backend: Backend
  readonly #maxLinks: number
  readonly #parts: HostBackendParts
  readonly #links = new Set<HostedLink>()
  /** One promise for each link, from the request for the link until the link is gone. */
  readonly #lives = new Set<Promise<Outcome>>()
  #state: 'starting' | 'up' | 'down' = 'starting'
  #error: Error | undefined
  #tools = 0
  #leaving = false
  #service: Closer | undefined = undefined
  readonly stats = { requests: 0, errors: 0, ms: 0 }

  constructor(backend: Backend, maxLinks: number, parts: HostBackendParts) {
    this.name = backend.name
    this.#backend = backend
    this.#maxLinks = maxLinks
    this.#parts = parts
  }

  get about(): BackendAbout {
    return { state: this.#state, tools: this.#tools }
  }

  get health(): NamedBackendHealth {
    let inFlight = 0
    for (const link of this.#links) inFlight += link.calls
    return {
      name: this.name,
      state: this.#state,
      error: this.#error,
      links: this.#links.size,
      inFlight,
      queued: 0,
      breaker: 'closed',
      tools: this.#tools,
      waiting: 0,
    }
  }

  /** Resolves when other nodes can find it. */
  async serve(): Promise<void> {
    const { fabric, unreadable } = this.#parts
    const start = nodeHandler(scopeSchema, unreadable, (scope, exchange) => this.#start(scope, exchange))
    this.#service = await fabric.serve(this.name, (request, exchange) => {
      if (request.method !== linkMethods.open) return errorOutcome(exchange.context, 'method_not_found')
      // Another node may have room.
      if (this.#leaving || this.#lives.size >= this.#maxLinks) return errorOutcome(exchange.context, 'overloaded')
      return start(request, exchange)
    })
  }

  #start(scope: Scope, exchange: Exchange): Promise<Outcome> {
    const life = this.#live(scope, exchange)
    this.#lives.add(life)
    void life.finally(() => this.#lives.delete(life))
    return life
  }

  async drain(): Promise<void> {
    this.#leave()
    await this.#ended()
  }

  async close(): Promise<void> {
    this.#leave()
    for (const link of this.#links) void link.close()
    await this.#ended()
  }

  #leave(): void {
    this.#leaving = true
    for (const link of this.#links) link.leave()
  }

  async #ended(): Promise<void> {
    await this.#service?.close()
    await Promise.all(this.#lives)
  }

  called({ kind }: Outcome, ms: number): void {
    this.stats.requests += 1
    this.stats.ms += ms
    if (kind === 'error') this.stats.errors += 1
  }

  listed(kind: string, items: number): void {
    if (kind !== 'tools' || items === this.#tools) return
    this.#tools = items
    this.#parts.changed()
  }

  /**
   * Opens a link and serves it until it is gone. The exchange is the link's client; the link lives as long as the
   * exchange.
   */
  async #live(scope: Scope, exchange: Exchange): Promise<Outcome> {
    const { tenant } = scope
    let link: Link
    try {
      link = await this.#backend.open(scope, exchange, exchange.signal)
    } catch (error) {
      return exchange.ended === undefined
        ? this.#failed(tenant, 'open', error)
        : errorOutcome(exchange.context, 'cancelled')
    }
    if (this.#leaving || exchange.ended !== undefined) {
      await link.close().catch(() => undefined)
      return errorOutcome(exchange.context, 'overloaded')
    }
    const { fabric, unreadable } = this.#parts
    const hosted = new HostedLink({ fabric, link, hold: exchange, listener: this, unreadable })
    this.#links.add(hosted)
    this.#become('up', undefined)
    this.#emit({ kind: 'link_opened', backend: this.name, tenant, again: false })
    try {
      const error = await hosted.serve()
      if (error !== undefined) return this.#failed(tenant, 'break', error)
      const reason = this.#leaving ? 'shutdown' : 'ended'
      this.#emit({ kind: 'link_closed', backend: this.name, tenant, reason })
      return { kind: 'complete', result: printLinkEnd(undefined) }
    } finally {
      this.#links.delete(hosted)
    }
  }

  #failed(tenant: string, phase: 'open' | 'break', thrown: unknown): Outcome {
    const error = errorOf(thrown)
    const { name } = this
    const { message } = error
    this.#parts.log.warn(phase === 'open' ? 'a backend could not be opened' : 'a backend link broke', {
      backend: name,
      error: message,
    })
    // This is about the backend, not about this link alone.
    const isDown = phase === 'open' || codeOf(error) === 'BACKEND_UNREACHABLE'
    this.#become(isDown ? 'down' : this.#state, error)
    this.#emit({ kind: 'link_failed', backend: name, tenant, phase, message, retryAfterMs: 0 })
    return { kind: 'complete', result: printLinkEnd(message) }
  }

  #become(state: 'up' | 'down' | 'starting', error: Error | undefined): void {
    this.#error = error
    if (state === this.#state) return
    this.#state = state
    this.#emit({ kind: 'backend_state', backend: this.name, state })
    this.#parts.changed()
  }

  #emit(event: LinkEvent): void {
    this.#parts.emit(event)
  }
}
