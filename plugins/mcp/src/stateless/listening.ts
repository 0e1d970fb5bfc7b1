import {
  declares,
  edit,
  isJsonObject,
  type JsonObject,
  listChanged,
  type ListKind,
  type Log,
  member,
  memberOf,
  metaKeys,
  methods,
  type Notification,
  type NotificationBody,
  type Payload,
  payloadOf,
  type Response,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import { declared } from './declare.ts'
import type { RequestListener, SentRequest, StatelessWire, WireFailure } from './stateless-wire.ts'

/** How the subscription is requested, what the server offers, and who gets its notifications. */
export interface ListeningOptions {
  readonly wire: Pick<StatelessWire, 'send'>
  readonly server: ServerInfo
  readonly log: Log
  /** Called with a notification of the server. */
  readonly notify: (notification: NotificationBody) => void
  /** Whether lists of the server are not as they were when they were requested last. Never rejects. */
  readonly haveChanged: (kinds: readonly ListKind[]) => Promise<boolean>
}

/** What a server can announce changes of: the flag that asks for it, and the lists. */
const announced = (
  [
    ['tools', ['tools']],
    ['resources', ['resources', 'resourceTemplates']],
    ['prompts', ['prompts']],
  ] as const
).map(([capability, kinds]) => ({
  capability,
  kinds,
  flag: `${capability}ListChanged`,
  method: listChanged[capability],
}))

/**
 * Pauses before a lost subscription is opened again, in milliseconds: the first, and the longest. The next pause is the
 * first again after a subscription that has lasted longer than any pause: a server may end each one at once.
 */
const firstPauseMs = 500
const longestPauseMs = 30_000

/** How long a server has to acknowledge a subscription, in milliseconds. */
const acknowledgeMs = 10_000

const methodNotFound = -32_601

/**
 * The subscription of one link (2026-07-28, Subscriptions): changes of lists, and updates of the resources that callers
 * want. It is opened again when it is lost, and replaced when the resources change: the next one is acknowledged before the
 * last one is closed, so that nothing is missed in between.
 */
export class Listening {
  readonly #options: ListeningOptions
  readonly #flags: JsonObject
  /** The wanted resources, with whether the server will report their updates. */
  readonly #uris = new Map<string, Promise<boolean>>()
  #current: Subscription | undefined
  /** It takes the place of the current one when the server acknowledges it. */
  #replacing: Subscription | undefined
  /** The subscription that is being opened. */
  #opening: Promise<unknown> = Promise.resolve()
  /** The one after it, if it is wanted. */
  #next: Promise<ReadonlySet<string>> | undefined
  #pauseMs = firstPauseMs
  /** When the current subscription was acknowledged. */
  #openedAt = 0
  #timer: NodeJS.Timeout | undefined
  /** Whether there was no subscription for a while, since the last one that was acknowledged. */
  #hasMissed = false
  #isOver = false

  constructor(options: ListeningOptions) {
    this.#options = options
    const { capabilities } = options.server
    this.#flags = Object.fromEntries(
      announced.filter(({ capability }) => canChange(capabilities, capability)).map(({ flag }) => [flag, true]),
    )
  }

  /** Begins to listen, if the server announces anything. */
  start(): void {
    void this.#open()
  }

  /** Listens for updates of a resource. Resolves with whether the server will report them. */
  add(uri: string): Promise<boolean> {
    const known = this.#uris.get(uri)
    if (known !== undefined) return known
    const added = this.#open().then((honoured) => {
      if (honoured.has(uri)) return true
      // It may have been removed, and added again.
      if (this.#uris.get(uri) === added) this.#uris.delete(uri)
      return false
    })
    this.#uris.set(uri, added)
    return added
  }

  async remove(uri: string): Promise<void> {
    if (this.#uris.delete(uri)) await this.#open()
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#current?.cancel()
    this.#replacing?.cancel()
  }

  /**
   * Opens the subscription, in place of the current one; none, if nothing is wanted. Resolves with the resources that the
   * server honours. One is opened at a time: all who want another one meanwhile share the next, which has the resources of
   * all.
   */
  #open(): Promise<ReadonlySet<string>> {
    if (this.#next !== undefined) return this.#next
    const next = this.#opening.then(() => {
      this.#next = undefined
      return this.#openNow()
    })
    this.#next = next
    this.#opening = next
    return next
  }

  async #openNow(): Promise<ReadonlySet<string>> {
    if (this.#isOver) return new Set()
    clearTimeout(this.#timer)
    const filter = this.#filter()
    if (Object.keys(filter).length === 0) {
      this.#current?.cancel()
      this.#current = undefined
      return new Set()
    }
    const next = new Subscription(this.#options, filter, (failure) => this.#lost(next, failure))
    this.#replacing = next
    next.start()
    const honoured = await next.acknowledged
    this.#replacing = undefined
    // Without an acknowledgement the current one remains.
    if (honoured === undefined || next.isOver) return new Set()
    this.#current?.cancel()
    this.#current = next
    this.#openedAt = performance.now()
    // The one before may have ended meanwhile: it need not be opened again.
    clearTimeout(this.#timer)
    if (this.#hasMissed) void this.#announce()
    this.#hasMissed = false
    return honoured
  }

  #filter(): JsonObject {
    return { ...this.#flags, ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris.keys()] }) }
  }

  #lost(subscription: Subscription, why: string | undefined): void {
    if (subscription === this.#current) {
      this.#current = undefined
      if (performance.now() - this.#openedAt > longestPauseMs) this.#pauseMs = firstPauseMs
    }
    if (this.#isOver || this.#current !== undefined) return
    this.#hasMissed = true
    clearTimeout(this.#timer)
    if (why === undefined) return this.#options.log.warn('the server has no subscriptions: its changes are not noticed')
    this.#options.log.debug('a subscription has ended; it is opened again', { why })
    this.#timer = setTimeout(() => void this.#open(), this.#pauseMs).unref()
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs)
  }

  /**
   * Announces what may have changed while there was no subscription. What has become of the resources is unknown. Lists are
   * compared: some servers end each subscription at once, and clients must not read the same lists again and again.
   */
  async #announce(): Promise<void> {
    const { haveChanged, notify } = this.#options
    for (const uri of this.#uris.keys()) {
      notify({ method: methods.notificationsResourcesUpdated, params: payloadOf({ uri }) })
    }
    const wanted = announced.filter(({ flag }) => this.#flags[flag] === true)
    await Promise.all(
      wanted.map(async ({ kinds, method }) => {
        if ((await haveChanged(kinds)) && !this.#isOver) notify({ method, params: undefined })
      }),
    )
  }
}

class Subscription implements RequestListener {
  /** Whether it was cancelled, or has ended by itself. */
  isOver = false
  /** The resources that the server honours. Undefined: there is no subscription. */
  readonly acknowledged: Promise<ReadonlySet<string> | undefined>
  readonly #options: ListeningOptions
  readonly #lost: (why: string | undefined) => void
  readonly #acknowledge: (honoured: ReadonlySet<string> | undefined) => void
  readonly #notifications: JsonObject
  #timer: NodeJS.Timeout | undefined
  #sent: SentRequest | undefined

  /** @param lost called when it has ended by itself; undefined: the server has no subscriptions */
  constructor(options: ListeningOptions, notifications: JsonObject, lost: (why: string | undefined) => void) {
    const { promise, resolve } = Promise.withResolvers<ReadonlySet<string> | undefined>()
    this.acknowledged = promise
    this.#acknowledge = resolve
    this.#options = options
    this.#lost = lost
    this.#notifications = notifications
  }

  start(): void {
    this.#timer = setTimeout(() => this.#giveUp(), acknowledgeMs).unref()
    const params = declared(payloadOf({ notifications: this.#notifications }), { capabilities: {} })
    this.#sent = this.#options.wire.send(methods.subscriptionsListen, params, this)
  }

  cancel(): void {
    this.isOver = true
    clearTimeout(this.#timer)
    this.#acknowledge(undefined)
    this.#sent?.cancel('replaced')
  }

  notification({ method, params }: Notification): void {
    if (method !== methods.notificationsSubscriptionsAcknowledged) {
      return this.#options.notify({ method, params: params && untagged(params) })
    }
    clearTimeout(this.#timer)
    this.#acknowledge(honouredIn(params))
  }

  answered(response: Response): void {
    const isUnknown = response.kind === 'error' && response.error.code === methodNotFound
    this.#end(isUnknown ? undefined : 'the server has ended it')
  }

  failed({ problem = 'the connection was lost' }: WireFailure): void {
    this.#end(problem)
  }

  /** It is cancelled, because the server may have opened it nevertheless: the next one would be a second one. */
  #giveUp(): void {
    this.#sent?.cancel('not acknowledged')
    this.#end('the server has not acknowledged it')
  }

  #end(why: string | undefined): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.#timer)
    this.#acknowledge(undefined)
    this.#lost(why)
  }
}

function canChange(capabilities: JsonObject, name: string): boolean {
  const capability = capabilities[name]
  return declares(capabilities, [name]) && isJsonObject(capability) && capability['listChanged'] === true
}

function honouredIn(params: Payload | undefined): ReadonlySet<string> {
  const uris = memberOf(memberOf(params?.value(), 'notifications'), 'resourceSubscriptions')
  return new Set(Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [])
}

/** Removes the id of the subscription, which means nothing to the clients of the gateway. */
function untagged(params: Payload): Payload {
  const meta = member(params, '_meta')
  const value = meta?.value()
  if (meta === undefined || !isJsonObject(value)) return params
  const isAlone = Object.keys(value).length === 1 && value[metaKeys.subscriptionId] !== undefined
  return edit(params, { _meta: isAlone ? undefined : edit(meta, { [metaKeys.subscriptionId]: undefined }) })
}
