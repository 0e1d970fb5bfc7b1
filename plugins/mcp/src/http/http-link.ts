import {
  declares,
  type Exchange,
  type Link,
  listChanged,
  type ListKind,
  methods,
  type Notification,
  type NotificationBody,
  type Outcome,
  type Payload,
  payloadOf,
  type Request,
  type Response,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import {
  describeFailure,
  failureSituation,
  type McpHttpClient,
  type HttpFailure,
  type HttpSession,
} from '@junctor/transport-http/back'
import { answerFor } from '../link/answer-for.ts'
import { failedCall, lostCall } from '../link/errors.ts'
import { HttpCall, type HttpCallHost } from './http-call.ts'
import type { LinkOptions } from '../link/link-options.ts'
import { LinkLists } from '../link/link-lists.ts'
import { outcomeOf } from '../link/outcome-of.ts'
import { RenewableSession, type SessionHost } from './renewable-session.ts'
import { reportUnhandled } from '../link/report-unhandled.ts'
import { UpstreamRelay } from '../link/upstream-relay.ts'
import { upstreamParams } from '../link/upstream-params.ts'

/**
 * Opens a link to an MCP server over Streamable HTTP. Rejects when the handshake does not succeed.
 *
 * When the server forgets the session, the calls that it has refused without running them are sent once more in another
 * session. Other requests in flight fail.
 */
export async function openHttpLink(client: McpHttpClient, options: LinkOptions, signal: AbortSignal): Promise<Link> {
  const link = new HttpLink(client, options)
  await link.open(signal)
  return link
}

class HttpLink implements Link, HttpCallHost, SessionHost {
  readonly backend: string
  readonly #options: LinkOptions
  readonly #relay: UpstreamRelay
  readonly #session: RenewableSession
  readonly #lists = new LinkLists()
  readonly #closed = Promise.withResolvers<Error | undefined>()
  #over = false

  constructor(client: McpHttpClient, options: LinkOptions) {
    const { backend, scope, log } = options
    this.backend = backend
    this.#options = options
    this.#relay = new UpstreamRelay({ scope, client: options.client, log, correlates: true })
    this.#session = new RenewableSession({ client, scope, log, host: this })
  }

  get server(): ServerInfo {
    return this.#session.server
  }

  get closed(): Promise<Error | undefined> {
    return this.#closed.promise
  }

  open(signal: AbortSignal): Promise<void> {
    return this.#session.open(signal)
  }

  list(kind: ListKind, signal: AbortSignal): Promise<readonly Payload[]> {
    return this.#lists.list(kind, this.server, (method, params) => this.#session.ask(method, params, signal))
  }

  listProblem(kind: ListKind): string | undefined {
    return this.#lists.problem(kind)
  }

  call(request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
    const { backend } = this
    if (this.#over) return lostCall(request, exchange, 'unsent', backend)
    if (exchange.ended !== undefined) return failedCall(request, exchange, 'cancelled', { backend })
    const token = exchange.wantsProgress ? this.#relay.nextToken() : undefined
    const params = upstreamParams(request.params, token, this.server, exchange.context.trace)
    const sent = this.#session.request(request.method, params)
    const call = new HttpCall(this, { request, sent, exchange, progressToken: token })
    this.#relay.began(call)
    const { current } = this.#session
    if (current.lost) void this.#sendRenewed(call, current)
    else call.send(current)
    exchange.onEnd(call)
    return call.outcome
  }

  notify({ method, params }: NotificationBody): void {
    void this.#send(this.#session.current, { kind: 'notification', dialect: '2.0', method, params })
  }

  async close(): Promise<void> {
    this.#end(undefined)
    await this.#session.close()
  }

  related(message: Request | Notification, call: HttpCall, session: HttpSession): void {
    this.#takeGuarded(message, call.exchange, session)
  }

  failed(call: HttpCall, failure: HttpFailure, session: HttpSession): void {
    if (call.retried) this.#giveUp(call, failure)
    else void this.#retry(call, failure, session)
  }

  versionRefused(call: HttpCall, response: Response, session: HttpSession): void {
    void this.#unlessRefused(call, response, session)
  }

  finished(call: HttpCall, response: Response | undefined): void {
    this.#relay.finished(call)
    if (response !== undefined) this.#session.answered(call.request, response)
  }

  unrelated(message: Request | Notification, session: HttpSession): void {
    this.#takeGuarded(message, undefined, session)
  }

  renewed({ capabilities }: ServerInfo, uris: readonly string[]): void {
    const { client } = this.#options
    for (const [capability, method] of Object.entries(listChanged)) {
      if (declares(capabilities, [capability])) client.notify({ method, params: undefined })
    }
    for (const uri of uris) {
      client.notify({ method: methods.notificationsResourcesUpdated, params: payloadOf({ uri }) })
    }
  }

  broken(error: Error): void {
    this.#end(error)
  }

  /** Sends a call once more if the server refused it without running it, because it does not know the session. */
  async #retry(call: HttpCall, failure: HttpFailure, session: HttpSession): Promise<void> {
    if (!(await this.#session.hasForgotten(session, failure))) return this.#giveUp(call, failure)
    call.retried = true
    await this.#sendRenewed(call, session)
  }

  /** A server that was updated, and takes no handshakes any more, refuses a ping too: the session is over. */
  async #unlessRefused(call: HttpCall, response: Response, session: HttpSession): Promise<void> {
    if (call.retried || !(await this.#session.refusesPing(session))) return call.settle(outcomeOf(response), response)
    call.retried = true
    await this.#sendRenewed(call, session)
  }

  /** Sends a call that the server has not run in the session that replaces the lost one. */
  async #sendRenewed(call: HttpCall, lost: HttpSession): Promise<void> {
    try {
      call.send(await this.#session.renew(lost))
    } catch {
      // The link has ended, and settled its calls.
    }
  }

  #giveUp(call: HttpCall, failure: HttpFailure): void {
    this.#options.log.warn('a call failed on its way', { failure: describeFailure(failure) })
    const { situation, loss, ...details } = failureSituation(failure)
    const outcome = failedCall(call.request, call.exchange, situation, { ...details, backend: this.backend })
    call.settle(loss === undefined ? outcome : { ...outcome, loss })
  }

  #takeGuarded(message: Request | Notification, cause: Exchange | undefined, session: HttpSession): void {
    try {
      this.#take(message, cause, session)
    } catch (error) {
      reportUnhandled(this.#options, error, cause)
    }
  }

  #take(message: Request | Notification, cause: Exchange | undefined, session: HttpSession): void {
    if (message.kind === 'notification') return this.#relay.notification(message, cause)
    this.#relay.request(message, cause, (id, given) => {
      const answer = answerFor(message, given, this.server.revision)
      const response =
        'result' in answer ? { kind: 'result' as const, ...answer } : { kind: 'error' as const, ...answer }
      void this.#send(session, { dialect: '2.0', id, ...response })
    })
  }

  async #send(session: HttpSession, message: Notification | Response): Promise<void> {
    const failure = await session.send(message)
    if (failure === undefined || this.#over) return
    this.#options.log.warn('a message was not accepted', { kind: message.kind, failure: describeFailure(failure) })
  }

  #end(error: Error | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#relay.close()
    this.#closed.resolve(error)
  }
}
