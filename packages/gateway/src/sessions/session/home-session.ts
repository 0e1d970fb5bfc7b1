import type { AskOptions, CallContext, NotificationBody } from '@junctor/exchange'
import type { Head, Scope } from '@junctor/contracts'
import type { Answer, Dialect } from '@junctor/jsonrpc'
import type { ClientRequest, Extensions, LogLevel } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { CallerView } from '../../upstream/callers/caller-view.ts'
import { CallerLinks, type SlotSource } from '../../upstream/callers/caller-links.ts'
import type { Caller } from '../../upstream/callers/caller.ts'
import type { LinkSlot } from '../../upstream/links/link-slot.ts'
import type { ReplayStream } from '../streams/replay-stream.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'

/** What a home session needs from its node to send messages to its client outside any request. */
export interface SessionOutlet {
  notify(session: HomeSession, notification: NotificationBody): void
  ask(session: HomeSession, request: ClientRequest, options: AskOptions | undefined): Promise<Answer>
}

/** The properties of a session that are known when it opens. */
export interface HomeSessionInit {
  readonly id: string
  readonly tenant: TenantEntry
  readonly context: CallContext
  readonly transport: Head['transport']
  /** Epoch milliseconds. */
  readonly openedAt: number
}

/** A session on its home node: the state that all its requests share. Small, because most sessions are idle. */
export class HomeSession implements Caller {
  readonly id: string
  /** The tenant that it belongs to: what it may see and use. */
  tenant: TenantEntry
  context: CallContext
  /** The transport that it was opened over. */
  readonly transport: Head['transport']
  /** Epoch milliseconds when it was opened. */
  readonly openedAt: number
  /** Set by `logging/setLevel`. Until then, the client gets the log messages that the backends choose to send. */
  logLevel: LogLevel | undefined
  /** The session's own stream. Created when it is first used. */
  stream: ReplayStream | undefined
  lastView: CallerView | undefined
  ended = false
  /** Whether requests of it may have been accepted whose answers go to its own stream. */
  awaitsAnswers = false
  /** How often a hand-over of it was tried. Of two homes of a session, the one with more moves is the current one. */
  moves = 0
  /** The JSON-RPC version of its client's last message. The gateway uses it for messages outside requests. */
  dialect: Dialect = '2.0'
  /** How many resources this session is subscribed to, over all its links. */
  subscriptions = 0
  /** Running jobs on its links that outlive the session. */
  #jobs: Set<Promise<unknown>> | undefined
  readonly #outlet: SessionOutlet
  readonly #source: SlotSource
  #links: CallerLinks | undefined

  constructor(
    { id, tenant, context, transport, openedAt }: HomeSessionInit,
    outlet: SessionOutlet,
    source: SlotSource,
  ) {
    this.id = id
    this.tenant = tenant
    this.context = context
    this.transport = transport
    this.openedAt = openedAt
    this.#outlet = outlet
    this.#source = source
  }

  /** Applies a new configuration of its tenant. Closes the links to backends that the tenant no longer has. */
  applyConfig(tenant: TenantEntry): void {
    const gone = this.tenant.backends.filter((entry) => !tenant.backends.includes(entry))
    for (const entry of gone) {
      const slot = this.#links?.forget(entry)
      this.subscriptions -= slot === undefined ? 0 : subscriptionsOf(slot, this.id)
    }
    this.tenant = tenant
    this.lastView = undefined
  }

  /** Sets the extensions that its client and the gateway use from now on. */
  setExtensions(extensions: Extensions): void {
    this.context = { ...this.context, extensions }
  }

  /** The scope of this session's link to a backend. */
  scope(entry: BackendEntry): Scope {
    this.#links ??= new CallerLinks(this.#source)
    return this.#links.scope(entry, this.context)
  }

  /** The slot of this session's link to a backend. Creating the slot opens no connection. */
  slot(entry: BackendEntry): LinkSlot {
    this.#links ??= new CallerLinks(this.#source)
    return this.#links.slot(entry, this.context)
  }

  /** The slots that this session has used and that still exist. */
  slots(): readonly LinkSlot[] {
    return this.#links?.slots() ?? []
  }

  /** Keeps its links for a job until the promise settles, also when the session ends before that. */
  keepLinksFor(job: Promise<unknown>): void {
    const jobs = (this.#jobs ??= new Set())
    const over = (): void => void jobs.delete(job)
    jobs.add(job)
    job.then(over, over)
  }

  /** Resolves when no job needs its links any more. `undefined`: no job needs them now. */
  jobsDone(): Promise<unknown> | undefined {
    return this.#jobs === undefined || this.#jobs.size === 0 ? undefined : Promise.allSettled(this.#jobs)
  }

  setCallerToken(callerToken: string): void {
    this.#links ??= new CallerLinks(this.#source)
    this.#links.callerToken = callerToken
  }

  notify(notification: NotificationBody): void {
    if (!this.ended) this.#outlet.notify(this, notification)
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    return this.#outlet.ask(this, request, options)
  }
}

/** How many of a link's subscriptions belong to a session. */
function subscriptionsOf(slot: LinkSlot, session: string): number {
  return [...(slot.subscriptions?.values() ?? [])].filter((sessions) => sessions.has(session)).length
}
