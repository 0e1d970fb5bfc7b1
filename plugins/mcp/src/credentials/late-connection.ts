import {
  type CacheHints,
  type Client,
  type Exchange,
  type Link,
  listChanged,
  type ListKind,
  type Log,
  methods,
  type NotificationBody,
  type Outcome,
  payloadOf,
  type Request,
  requestId,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import { createSessionSettings, type SessionSettings } from '../http/session-settings.ts'
import { settingExchange } from './setting-exchange.ts'
import { unconnectedServer } from './unconnected-server.ts'

/** How long a server may take to open a link, in milliseconds. */
const connectMs = 60_000

/** The most subscriptions that wait for the connection: as many as a session may have. Others are refused all the same. */
const mostWaiting = 1_000

/**
 * The connection of a link to its server. It may begin after the link was given to the gateway, and may be given up and
 * begin again before the link ends.
 */
export class LateConnection {
  /** What the session has set at the server, or wants to be set there as soon as it is connected. */
  readonly settings: SessionSettings = createSessionSettings()
  readonly #backend: string
  readonly #client: Pick<Client, 'context' | 'notify'>
  readonly #log: Log
  readonly #closed = Promise.withResolvers<Error | undefined>()
  /** The links that have calls under way, with their number: the link in use, and those that it has replaced. */
  readonly #busy = new Map<Link, number>()
  #link: Link | undefined
  #connecting: Promise<void> | undefined
  #isClosed = false

  /** @param client of the link; it is notified of what changes with the connection */
  constructor(backend: string, client: Pick<Client, 'context' | 'notify'>, log: Log) {
    this.#backend = backend
    this.#client = client
    this.#log = log
  }

  /** The link to the server. `undefined`: it is not connected. */
  get link(): Link | undefined {
    return this.#link
  }

  /** Whether the gateway has closed the link. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  get server(): ServerInfo {
    return this.#link?.server ?? unconnectedServer(this.#backend)
  }

  /** Resolves when the link has ended: the gateway has closed it, or the link to the server has closed. */
  get closed(): Promise<Error | undefined> {
    return this.#closed.promise
  }

  hints(kind: ListKind): CacheHints | undefined {
    return this.#link?.hints?.(kind)
  }

  listProblem(kind: ListKind): string | undefined {
    return this.#link?.listProblem?.(kind)
  }

  notify(notification: NotificationBody): void {
    this.#link?.notify(notification)
  }

  /**
   * Connects, once for all callers that wait at the same time.
   *
   * @param signal default: a timeout. It is not that of a call, because other calls may wait for the same connection
   */
  connect(
    open: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal = AbortSignal.timeout(connectMs),
  ): Promise<void> {
    this.#connecting ??= open(signal).finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** Uses a link to the server from now on. Closes it when the gateway has closed meanwhile. */
  async use(link: Link): Promise<void> {
    if (this.#isClosed) return await link.close()
    this.#link = link
    void link.closed.then((error) => this.#ended(link, error))
    await this.#restore(link)
    this.notifyLists()
    // What has become of the resources meanwhile is unknown.
    for (const uri of this.settings.uris()) {
      this.#client.notify({ method: methods.notificationsResourcesUpdated, params: payloadOf({ uri }) })
    }
  }

  /** Calls the server over a link. One that is not in use any more is closed after its last call. */
  async call(link: Link, request: Request, exchange: Exchange): Promise<Outcome> {
    this.#busy.set(link, (this.#busy.get(link) ?? 0) + 1)
    try {
      return await link.call(request, exchange)
    } finally {
      const others = (this.#busy.get(link) ?? 1) - 1
      if (others > 0) this.#busy.set(link, others)
      else if (this.#busy.delete(link) && this.#link !== link) void link.close()
    }
  }

  /** Closes a link to the server, if it is still in use. */
  giveUp(link: Link | undefined): void {
    if (link === undefined || this.#link !== link) return
    this.#link = undefined
    this.#drop(link)
    this.notifyLists()
  }

  /** Uses a link no more for new calls. Its calls under way go on. */
  replace(link: Link | undefined): void {
    if (link === undefined || this.#link !== link) return
    this.#link = undefined
    if (!this.#busy.has(link)) void link.close()
    this.notifyLists()
  }

  /** Ends the calls under way of links that were replaced, and gives up the link in use. */
  giveUpAll(): void {
    for (const link of this.#busy.keys()) if (link !== this.#link) this.#drop(link)
    this.giveUp(this.#link)
  }

  /** Keeps what the session wants to be set at the server as soon as it is connected. */
  keep(request: Request): void {
    const { settings } = this
    if (request.method !== methods.resourcesSubscribe || settings.uris().length < mostWaiting) settings.note(request)
  }

  /** Notifies the client that the lists are others now. */
  notifyLists(): void {
    for (const method of Object.values(listChanged)) this.#client.notify({ method, params: undefined })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#closed.resolve(undefined)
    const former = [...this.#busy.keys()].filter((link) => link !== this.#link)
    for (const link of former) this.#drop(link)
    await this.#link?.close()
  }

  /** Closes a link at once, and no second time after its last call. */
  #drop(link: Link): void {
    this.#busy.delete(link)
    void link.close()
  }

  /** Sets at the server what is not set there yet. */
  async #restore(link: Link): Promise<void> {
    for (const { method, params } of this.settings.requests()) {
      const request: Request = { kind: 'request', dialect: '2.0', id: requestId(0), method, params }
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as the session has sent them
      const outcome = await link.call(request, settingExchange(this.#client))
      if (outcome.kind === 'error') this.#log.warn('a setting could not be restored', { method })
    }
  }

  /** The end of the link to the server is that of this one, unless it was given up before. */
  #ended(link: Link, error: Error | undefined): void {
    if (this.#link === link) this.#closed.resolve(error)
  }
}
