import type { Answer, AskOptions, CallContext, ClientRequest, NotificationBody } from '@junctor/exchange'
import type { Head, Scope } from '@junctor/contracts'
import type { Dialect } from '@junctor/jsonrpc'
import type { Extensions, LogLevel } from '@junctor/protocol'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import type { SlotSource } from '../upstream/callers/caller-links.ts'
import { CallerLinks } from '../upstream/callers/caller-links.ts'
import type { Caller } from '../upstream/callers/caller.ts'
import type { LinkSlot } from '../upstream/links/link-slot.ts'
import type { ReplayStream } from './streams/replay-stream.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'

/** What a home session needs of its node to speak to its client outside any request. */
export interface SessionOutlet {
  notify(session: HomeSession, notification: NotificationBody): void
  ask(session: HomeSession, request: ClientRequest, options: AskOptions | undefined): Promise<Answer>
}

/** What a session is from the moment it opens. */
export interface HomeSessionInit {
  readonly id: string
  readonly tenant: TenantEntry
  readonly context: CallContext
  readonly transport: Head['transport']
  /** Epoch milliseconds. */
  readonly openedAt: number
}

/** A session at the node that opened it: everything that its requests share. Small, because most sessions are idle. */
export class HomeSession implements Caller {
  readonly id: string
  context: CallContext
  /** What it was opened over. */
  readonly transport: Head['transport']
  /** Epoch milliseconds when it was opened. */
  readonly openedAt: number
  /** Set by `logging/setLevel`. Until then the backends' own choice passes. */
  logLevel: LogLevel | undefined
  /** The session's own stream, made when something is first said on it. */
  stream: ReplayStream | undefined
  seen: CallerView | undefined
  ended = false
  /** Requests of it may have been accepted whose answers go to its own stream. */
  isOwed = false
  /** How often it was handed on, or tried to be: tells its homes apart, of which the last is the one. */
  moves = 0
  /** What its client last spoke, and is spoken to outside of requests. */
  dialect: Dialect = '2.0'
  /** Resources that this session is subscribed to, over all its links. */
  subscriptions = 0
  /** Jobs at work on its links that outlive it. */
  #jobs: Set<Promise<unknown>> | undefined
  readonly #outlet: SessionOutlet
  readonly #source: SlotSource
  #links: CallerLinks | undefined
  #tenant: TenantEntry

  constructor(
    { id, tenant, context, transport, openedAt }: HomeSessionInit,
    outlet: SessionOutlet,
    source: SlotSource,
  ) {
    this.id = id
    this.#tenant = tenant
    this.context = context
    this.transport = transport
    this.openedAt = openedAt
    this.#outlet = outlet
    this.#source = source
  }

  /** What it may use. */
  get tenant(): TenantEntry {
    return this.#tenant
  }

  /** From now on it sees what its tenant has become. Links to backends that are gone are closed with these. */
  adopt(tenant: TenantEntry): void {
    const gone = this.#tenant.backends.filter((entry) => !tenant.backends.includes(entry))
    for (const entry of gone) {
      const slot = this.#links?.forget(entry)
      this.subscriptions -= slot === undefined ? 0 : subscriptionsOf(slot, this.id)
    }
    this.#tenant = tenant
    this.seen = undefined
  }

  /** Its client and the gateway use these from now on. */
  agreed(extensions: Extensions): void {
    this.context = { ...this.context, extensions }
  }

  /** The scope in which this session uses a backend. */
  scope(entry: BackendEntry): Scope {
    this.#links ??= new CallerLinks(this.#source)
    return this.#links.scope(entry, this.context)
  }

  /** The slot of this session's link to a backend. Making the slot opens nothing. */
  slot(entry: BackendEntry): LinkSlot {
    this.#links ??= new CallerLinks(this.#source)
    return this.#links.slot(entry, this.context)
  }

  /** The slots that this session has used and that are still there. */
  slots(): readonly LinkSlot[] {
    return this.#links?.slots() ?? []
  }

  /** Its links are kept for a job until this settles, also when the session ends before. */
  outlivedBy(job: Promise<unknown>): void {
    const jobs = (this.#jobs ??= new Set())
    const over = (): void => void jobs.delete(job)
    jobs.add(job)
    job.then(over, over)
  }

  /** Resolves when no job needs its links; `undefined`: none does. */
  jobsDone(): Promise<unknown> | undefined {
    return this.#jobs === undefined || this.#jobs.size === 0 ? undefined : Promise.allSettled(this.#jobs)
  }

  notify(notification: NotificationBody): void {
    if (!this.ended) this.#outlet.notify(this, notification)
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    return this.#outlet.ask(this, request, options)
  }
}

/** How many of a link's subscriptions are a session's. */
function subscriptionsOf(slot: LinkSlot, session: string): number {
  return [...(slot.subscriptions?.values() ?? [])].filter((sessions) => sessions.has(session)).length
}
