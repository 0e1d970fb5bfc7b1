import {
  JunctorError,
  latestHandshake,
  type Log,
  methods,
  type Notification,
  type Payload,
  type Request,
  requestId,
  type Response,
  type Scope,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import { describeFailure, type McpHttpClient, type HttpFailure, type HttpSession } from '@junctor/transport-http/back'
import { performHandshake } from '../link/handshake.ts'
import { HttpRequestFailed } from './http-request-failed.ts'
import { isFailure, requestOverHttp } from './request-over-http.ts'
import { createSessionSettings } from './session-settings.ts'
import { isVersionRefused } from '../link/version-refused.ts'

/** The owner of a session. */
export interface SessionHost {
  /** Called with an upstream message that no call has caused. */
  unrelated(message: Request | Notification, session: HttpSession): void
  /**
   * Called when there is another session, subscribed to these resources. What happened at the server in between is unknown.
   */
  renewed(server: ServerInfo, uris: readonly string[]): void
  /** Called when the session is lost and cannot be replaced. */
  broken(error: Error): void
}

/** The client of the server's endpoint, and the owner of the session, which is notified when it was opened again. */
export interface RenewableSessionOptions {
  readonly client: McpHttpClient
  readonly scope: Scope
  readonly log: Log
  readonly host: SessionHost
}

/** Timeout for opening another session, in milliseconds. */
const renewTimeoutMs = 30_000
/** Timeout for the answer to a ping, in milliseconds. */
const pingTimeoutMs = 5_000

/**
 * A session at an HTTP server that is opened again when the server forgets it (2025-11-25, "Session Management": on 404
 * a client MUST start a new session). Its settings are restored in the new one. When a server forgets a session before
 * any request has succeeded in it, the link is given up.
 */
export class RenewableSession {
  readonly #options: RenewableSessionOptions
  readonly #settings = createSessionSettings()
  readonly #closing = new AbortController()
  #current: HttpSession
  #server: ServerInfo = { revision: latestHandshake, capabilities: {}, info: {}, instructions: undefined }
  /** Whether a request has succeeded in the current session. */
  #proven = false
  #renewing: Promise<HttpSession> | undefined
  #lastId = 0

  constructor(options: RenewableSessionOptions) {
    this.#options = options
    this.#current = options.client.createSession()
  }

  get current(): HttpSession {
    return this.#current
  }

  get server(): ServerInfo {
    return this.#server
  }

  /** The first handshake. Rejects, with the session closed, when it does not succeed. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#establish(this.#current, signal)
  }

  /** A request with an id of this session. */
  request(method: string, params: Payload | undefined): Request {
    this.#lastId += 1
    return { kind: 'request', dialect: '2.0', id: requestId(this.#lastId), method, params }
  }

  /** Sends a request that belongs to no client call. Rejects when there is no response. */
  async ask(method: string, params: Payload | undefined, signal: AbortSignal): Promise<Response> {
    const session = this.#current.lost ? await this.renew(this.#current) : this.#current
    const request = this.request(method, params)
    let end = await this.#exchange(session, request, signal)
    if (isFailure(end) && (await this.hasForgotten(session, end))) {
      end = await this.#exchange(await this.renew(session), request, signal)
    }
    if (isFailure(end)) throw new HttpRequestFailed(method, end, describeFailure(end))
    this.#proven = true
    return end
  }

  /**
   * Whether a failure means that the server has forgotten the session, and so has not run the request. Status 404 means
   * that. Servers that answer 400 instead, as examples of the official SDKs do, or 401, as earlier versions of the
   * official SDK for Rust do, refuse a ping too.
   */
  async hasForgotten(session: HttpSession, failure: HttpFailure): Promise<boolean> {
    if (failure.kind === 'session_unknown') return true
    return mayBeForgotten(failure) && this.refusesPing(session)
  }

  /** Whether the server refuses a ping: it does not know the session, or takes no sessions any more. */
  async refusesPing(session: HttpSession): Promise<boolean> {
    const ping = this.request(methods.ping, undefined)
    const end = await this.#exchange(session, ping, AbortSignal.timeout(pingTimeoutMs)).catch(() => undefined)
    if (end === undefined) return false
    if (!isFailure(end)) return isVersionRefused(end)
    return end.kind === 'session_unknown' || mayBeForgotten(end)
  }

  /**
   * The session that replaces a lost one: opened once, for all callers. Rejects when it cannot be opened, and after the
   * end of the link, when a server that has ended the session refuses the requests that were in flight.
   */
  renew(lost: HttpSession): Promise<HttpSession> {
    const { aborted, reason } = this.#closing.signal
    if (aborted) return Promise.reject(reason)
    if (this.#current !== lost) return Promise.resolve(this.#current)
    this.#renewing ??= this.#reopen(lost)
    return this.#renewing
  }

  /** Called when the request has been answered. */
  answered(request: Request, response: Response): void {
    this.#proven = true
    if (response.kind === 'result') this.#settings.note(request)
  }

  async close(): Promise<void> {
    this.#closing.abort(new JunctorError('CLOSED', 'The link was closed'))
    await this.#current.close()
  }

  async #reopen(lost: HttpSession): Promise<HttpSession> {
    const { client, host, log } = this.#options
    log.info('the server has forgotten the session; another one is opened')
    try {
      if (!this.#proven) throw new JunctorError('BACKEND_REFUSED', 'The server forgets its sessions immediately')
      const session = client.createSession()
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(renewTimeoutMs)])
      await this.#establish(session, signal)
      this.#proven = false
      this.#current = session
      host.renewed(this.#server, this.#settings.uris())
      return session
    } catch (error) {
      host.broken(error as Error)
      throw error
    } finally {
      this.#renewing = undefined
      void lost.close()
    }
  }

  /** Performs the handshake, and restores the settings of the session before. Rejects with the session closed. */
  async #establish(session: HttpSession, signal: AbortSignal): Promise<void> {
    try {
      await this.#shakeHands(session, signal)
      await this.#restore(session, signal)
      signal.throwIfAborted()
    } catch (error) {
      await session.close()
      throw error
    }
  }

  async #shakeHands(session: HttpSession, signal: AbortSignal): Promise<void> {
    const { scope, host } = this.#options
    const server = await performHandshake(scope, true, async (params) => {
      const request = this.request(methods.initialize, params)
      const response = await this.#exchange(session, request, signal)
      if (isFailure(response)) throw new HttpRequestFailed(request.method, response, describeFailure(response))
      return response
    })
    // Before its stream is open: the server may ask there at once.
    this.#server = server
    session.negotiated(server.revision)
    const method = methods.notificationsInitialized
    const failure = await session.send({ kind: 'notification', dialect: '2.0', method, params: undefined })
    if (failure !== undefined) throw new HttpRequestFailed(method, failure, describeFailure(failure))
    await session.listen({
      message: (message) => host.unrelated(message, session),
      lost: () => void this.renew(session).catch(() => {}),
      doubtful: () => void this.#renewIfForgotten(session),
    })
  }

  /** A link without calls would never notice: it only listens. */
  async #renewIfForgotten(session: HttpSession): Promise<void> {
    if (await this.refusesPing(session)) await this.renew(session).catch(() => {})
  }

  async #restore(session: HttpSession, signal: AbortSignal): Promise<void> {
    const requests = this.#settings.requests().map(({ method, params }) => this.request(method, params))
    const ends = await Promise.all(requests.map((request) => this.#exchange(session, request, signal)))
    for (const end of ends) {
      if (end.kind === 'result') continue
      const problem = end.kind === 'error' ? end.error.message : describeFailure(end)
      this.#options.log.warn('the settings of the lost session could not be restored', { problem })
    }
  }

  #exchange(session: HttpSession, request: Request, signal: AbortSignal): Promise<Response | HttpFailure> {
    return requestOverHttp(session, request, (message) => this.#options.host.unrelated(message, session), signal)
  }
}

/** Whether a failure may mean a forgotten session. 401 is about the credentials, unless the server speaks of the session. */
function mayBeForgotten(failure: HttpFailure): boolean {
  if (failure.kind !== 'refused') return false
  return failure.status === 400 || (failure.status === 401 && /session not found/iu.test(failure.detail ?? ''))
}
