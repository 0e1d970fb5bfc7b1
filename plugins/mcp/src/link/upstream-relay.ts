import {
  type Client,
  type Exchange,
  isJsonObject,
  isOfGateway,
  type JsonObject,
  LinkedList,
  listChanged,
  type Log,
  metaKeys,
  methods,
  type Notification,
  numberedId,
  type Payload,
  Pending,
  ListNode,
  type Request,
  requestId,
  type Scope,
} from '@junctor/plugin-sdk/link'
import { attribute, type Attribution, type CallInFlight } from './attribute.ts'
import { isMarkedGuessed, markGuessed } from './guess-mark.ts'
import { createUpstreamRequests, type Respond, type UpstreamRequests } from './upstream-requests.ts'

/** A call, as the relay sees it. */
export interface RelayedCall extends CallInFlight {
  /** The token with which the upstream reports progress, if progress was requested. */
  readonly progressToken: number | undefined
  /** Set by the relay: the call's place in the list of calls in flight. */
  place: ListNode<RelayedCall> | undefined
  /** Settles the call immediately, because its link has ended. */
  drop(): void
}

/** The client of a link, and how well its transport tells which request caused a message. */
export interface RelayOptions {
  readonly scope: Scope
  readonly client: Client
  readonly log: Log
  /** Whether the transport names the request of most messages. */
  readonly correlates: boolean
}

/** Notifications that a server's offer has changed: for the client of the link, even while calls are in flight. */
const changes: ReadonlySet<string> = new Set([...Object.values(listChanged), methods.notificationsResourcesUpdated])

/**
 * Delivers an upstream's own requests and notifications to the client or call that they belong to. One for each link.
 */
export class UpstreamRelay {
  readonly #options: RelayOptions
  readonly #requests: UpstreamRequests
  /** Oldest first. */
  readonly #inFlight = new LinkedList<RelayedCall>()
  readonly #byToken = new Pending<RelayedCall>()
  #lastToken = 0

  constructor(options: RelayOptions) {
    this.#options = options
    this.#requests = createUpstreamRequests(options.client, options.log)
  }

  /** A token that no call of this link has had. */
  nextToken(): number {
    this.#lastToken += 1
    return this.#lastToken
  }

  began(call: RelayedCall): void {
    this.#inFlight.append((call.place = new ListNode<RelayedCall>(call)))
    if (call.progressToken !== undefined) this.#byToken.set(requestId(call.progressToken), call)
  }

  /** Called when the call is settled: it receives no more messages. */
  finished(call: RelayedCall): void {
    if (call.place !== undefined) this.#inFlight.remove(call.place)
    if (call.progressToken !== undefined) this.#byToken.take(requestId(call.progressToken))
  }

  /** @param cause the exchange whose request caused it, where the transport names it */
  request(request: Request, cause: Exchange | undefined, respond: Respond): void {
    // A gateway has guessed the cause among the calls of its client. On a link of several clients it may be of another one.
    const isUnknown = this.#options.scope.session === undefined && isMarkedGuessed(request.params)
    const receiver = this.#receiverOf(request.method, isUnknown ? undefined : cause)
    // The client may be such a gateway too.
    const isGuess = receiver.kind === 'exchange' && receiver.guessed
    this.#requests.take(isGuess ? { ...request, params: markGuessed(request.params) } : request, receiver, respond)
  }

  /** @param cause the exchange whose request caused it, where the transport names it */
  notification({ method, params }: Notification, cause: Exchange | undefined): void {
    if (method === methods.notificationsProgress) return this.#progress(params)
    if (method === methods.notificationsCancelled) return this.#withdraw(params)
    const { client, log } = this.#options
    if (changes.has(method)) return client.notify({ method, params })
    const receiver = this.#receiverOf(method, cause)
    if (receiver.kind === 'no_client') log.debug('a notification that concerns no one client was dropped', { method })
    else if (receiver.kind === 'client' || receiver.guessed) client.notify({ method, params })
    else receiver.exchange.notify({ method, params })
  }

  /** Called when the link has ended: cancels open requests, and settles calls. */
  close(): void {
    this.#requests.close()
    for (const call of this.#inFlight.items()) call.drop()
  }

  #receiverOf(method: string, cause: Exchange | undefined): Attribution {
    if (cause !== undefined && !isOfGateway(cause.context)) return { kind: 'exchange', exchange: cause, guessed: false }
    const { scope, correlates } = this.#options
    return attribute(this.#inFlight.items(), scope, correlates, method)
  }

  #progress(params: Payload | undefined): void {
    const { [metaKeys.progressToken]: token, progress, total, message, ...more } = membersOf(params)
    const isToken = typeof token === 'number' || typeof token === 'string'
    // Some servers make a text of the number, and the official clients accept that.
    const call = isToken ? this.#byToken.get(numberedId(requestId(token))) : undefined
    if (call === undefined || typeof progress !== 'number') return
    call.exchange.progress({
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
      ...(Object.keys(more).length > 0 && { more }),
    })
  }

  #withdraw(params: Payload | undefined): void {
    const { requestId: id } = membersOf(params)
    if (typeof id === 'string' || typeof id === 'number') this.#requests.withdraw(requestId(id))
  }
}

function membersOf(params: Payload | undefined): JsonObject {
  const value = params?.value()
  return isJsonObject(value) ? value : {}
}
