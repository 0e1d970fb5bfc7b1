import type { CacheHints, Client, Link, ListKind, NotificationBody, ServerInfo } from '@junctor/plugin-sdk/link'
import { methods } from '@junctor/plugin-sdk/link'
import { unconnectedServer } from './unconnected-server.ts'

/** The notifications when a link gets connected or unconnected. */
const listChanges: readonly string[] = [
  methods.notificationsToolsListChanged,
  methods.notificationsPromptsListChanged,
  methods.notificationsResourcesListChanged,
]

/** How long a server may take to open a link, in milliseconds. */
const connectMs = 60_000

/**
 * The connection of a link to its server. It may begin after the link was given to the gateway, and may be given up and
 * begin again before the link ends.
 */
export class LateConnection {
  readonly #backend: string
  readonly #client: Pick<Client, 'notify'>
  readonly #closed = Promise.withResolvers<Error | undefined>()
  #link: Link | undefined
  #connecting: Promise<void> | undefined
  #isClosed = false

  /** @param client of the link; it is notified when the lists change with the connection */
  constructor(backend: string, client: Pick<Client, 'notify'>) {
    this.#backend = backend
    this.#client = client
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

  /** Uses a link to the server from now on. Returns false when the gateway has closed meanwhile: the caller closes the link. */
  use(link: Link): boolean {
    if (this.#isClosed) return false
    this.#link = link
    void link.closed.then((error) => this.#ended(link, error))
    return true
  }

  /** Closes a link to the server, if it is still in use. */
  giveUp(link: Link | undefined): void {
    if (link === undefined || this.#link !== link) return
    this.#link = undefined
    void link.close()
    this.notifyLists()
  }

  /** Notifies the client that the lists are others now. */
  notifyLists(): void {
    for (const method of listChanges) this.#client.notify({ method, params: undefined })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#closed.resolve(undefined)
    await this.#link?.close()
  }

  /** The end of the link to the server is that of this one, unless it was given up before. */
  #ended(link: Link, error: Error | undefined): void {
    if (this.#link === link) this.#closed.resolve(error)
  }
}
