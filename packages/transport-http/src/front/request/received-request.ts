import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Challenge, Head, Identity, RefusalTarget, Session } from '@junctor/contracts'
import { judgeRevisionHeader } from '../headers/judge-headers.ts'
import { notificationOf, requestTarget, type RequestSource } from '@junctor/connection'
import { type Message, printError, type RequestId, type Unreadable } from '@junctor/jsonrpc'
import { headers, type HttpShape, isRevision, type Revision, type Situation, situationOf } from '@junctor/protocol'
import { answerEmpty, answerJson } from '../serving/answer.ts'
import { corsHeaders, type ResponseHeaders } from '../headers/cors.ts'
import { type BodyStart, readStart } from '../body/read-start.ts'
import type { Serving } from '../serving/serving.ts'
import type { NamedPath } from './named-path.ts'
import { sessionNamed } from '../headers/session-named.ts'

/** The details of a refusal. */
export interface RefusalDetails {
  /** Without a dialect here, the dialect is read from the body, if that was not read yet. */
  readonly from?: Partial<RefusalTarget>
  /** Replaces the message of the catalogue: what was expected and what was received. */
  readonly message?: string | undefined
  /** The id of the refused request, if it could be read. */
  readonly id?: RequestId | undefined
  readonly headers?: ResponseHeaders
  /** Replaces the status of the catalogue. */
  readonly status?: number
}

/**
 * The session that a request names: undefined when it names none; else the reason why it was not found: it does not
 * exist for this caller, or the store is not available.
 */
export type FoundSession = Session | undefined | 'session_unknown' | 'fabric_unavailable'

const tooManyStreams = 'This client, or its tenant, has as many streams open as it may have'

/** One HTTP request at the endpoint: the values of its headers, and the ways to refuse it. */
export class ReceivedRequest implements Head {
  readonly transport = 'http'
  readonly serving: Serving
  readonly request: IncomingMessage
  /** Those of the request: Node looks for them at each read. */
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  readonly tenant: string | undefined
  /** The session in the path, for profiles that have it there. */
  readonly pathSession: string | undefined
  /** `MCP-Protocol-Version`, once the caller is known. */
  revision: Revision | undefined = undefined
  /**
   * Whether its headers say that it is of a revision without sessions, once the caller is known. The Kotlin SDK sends
   * `Mcp-Method` in its sessions too, and no version.
   */
  isStateless = false
  /** When the caller's credentials expire, in epoch milliseconds; undefined until they are known, or if they do not. */
  expires: number | undefined = undefined
  /** The origin of the page that may read the answer, once it is admitted. */
  origin: string | undefined = undefined
  /** Whether the client accepts only streams of events. */
  streamOnly = false
  #isAsked = false

  constructor(serving: Serving, request: IncomingMessage, response: ServerResponse, path: NamedPath) {
    this.serving = serving
    this.request = request
    this.headers = request.headers
    this.response = response
    this.tenant = path.tenant
    this.pathSession = path.session
  }

  get loopback(): boolean {
    return this.source.loopback
  }

  /** Where it comes from: its peer, or the client of trusted proxies. */
  get source(): RequestSource {
    return this.serving.proxies.sourceOf(this.request)
  }

  get target(): { readonly method: string; readonly path: string } {
    return requestTarget(this.request)
  }

  header(name: string): string | undefined {
    const value = this.headers[name]
    return typeof value === 'string' ? value : undefined
  }

  /** Headers of every answer to this request. */
  moreHeaders(): ResponseHeaders | undefined {
    const cors = this.origin === undefined ? undefined : corsHeaders(this.origin)
    return this.serving.closing ? { ...cors, connection: 'close' } : cors
  }

  /** The header of a refusal that ends its connection: no later request on it is read (RFC 9112 section 9.6). */
  hangUp(): ResponseHeaders {
    this.serving.ending.add(this.request.socket)
    return { connection: 'close' }
  }

  /** Calls `next` with the caller's identity, or sends the challenge. Synchronous unless a promise is involved. */
  authenticate(next: (identity: Identity) => void): void {
    const verdict = this.serving.front.authenticate(this)
    if (verdict instanceof Promise) void this.#whenSettled(verdict, (settled) => this.#judged(settled, next))
    else this.#judged(verdict, next)
  }

  /** Calls `next` with the session that the request names. */
  findSession(identity: Identity, next: (session: FoundSession) => void): void {
    // An `Mcp-Session-Id` is ignored (2026-07-28, Streamable HTTP, "Earlier Streamable HTTP Revisions").
    if (this.isStateless) return next(undefined)
    const shape = identity.tenant.profile.http
    if (shape !== undefined) return this.#findShaped(identity, shape, next)
    this.#find(identity, this.header(headers.sessionId), next)
  }

  /** Calls `next` with the session that the request must name; refuses the request otherwise. */
  needSession(identity: Identity, next: (session: Session) => void): void {
    this.findSession(identity, (session) => {
      const from = { identity }
      if (session === undefined) this.refuse('session_missing', { from })
      else if (typeof session === 'string') this.refuse(session, { from })
      else next(session)
    })
  }

  /** Refuses a GET or DELETE of a revision without sessions (2026-07-28, Streamable HTTP). */
  refuseSessionVerb(identity: Identity): void {
    this.refuse('http_method_not_allowed', { from: { identity }, headers: { allow: 'POST' } })
  }

  /** Reserves a stream until the answer has ended, or refuses the request. Returns whether it was reserved. */
  enterStream(identity: Identity): boolean {
    // The client has left during its admission: no `close` would release the place.
    if (this.response.destroyed) return false
    const leave = this.serving.shares.enter(identity)
    if (leave === undefined) {
      this.refuse('overloaded', { from: { identity }, message: tooManyStreams })
      return false
    }
    this.response.once('close', leave)
    return true
  }

  /** Refuses the request, in the version that it declares. */
  refuse(situation: Situation, details: RefusalDetails = {}): void {
    // A request that is refused for overload must not use resources for reading its body.
    if (details.from?.dialect !== undefined || situation === 'overloaded') return this.#refuse(situation, details)
    this.#askBody(({ dialect, id, unanswered }) => {
      if (unanswered !== undefined) return this.turnAway(situation, details, unanswered)
      const isV3 = dialect === '3.0'
      this.#refuse(situation, isV3 ? { ...details, from: { ...details.from, dialect }, id } : details)
    })
  }

  #refuse(situation: Situation, details: RefusalDetails): void {
    const named = this.header(headers.protocolVersion)
    // The revisions of the tenant are not known before the caller is.
    const declared = details.from?.identity === undefined && isRevision(named) ? named : undefined
    const from = { revision: this.revision ?? declared, ...details.from }
    const refusal = this.serving.front.refuse(situation, from, details.message, details.id)
    const status = details.status ?? refusal.status
    this.serving.log.debug('a request was refused', { situation, status })
    answerJson(this.response, status, refusal.text, { ...this.moreHeaders(), ...details.headers })
  }

  /** Refuses messages that are never answered: with a status and no message (JSON-RPC 2.0 section 4.1). */
  turnAway(
    situation: Situation,
    { from, headers: more, status = this.serving.front.refuse(situation, from).status }: RefusalDetails,
    entries: readonly (Message | Unreadable)[],
  ): void {
    const { front, log } = this.serving
    const identity = from?.identity
    if (identity !== undefined) for (const one of entries.flatMap(notificationOf)) front.ignore(one, { identity })
    log.debug('a message without an id was refused', { situation, status })
    answerEmpty(this.response, status, { ...this.moreHeaders(), ...more })
  }

  /** Answers an unexpected exception: the peer receives no details of it, but whether it may try again. */
  fail(error: unknown): void {
    this.serving.front.reportError('request', error, { transport: 'http' })
    if (this.response.headersSent) this.response.destroy()
    else if (situationOf(error) === 'fabric_unavailable') this.refuse('fabric_unavailable')
    else this.refuse('internal_error', { status: 500 })
  }

  /** Runs a step outside any caller, and handles its exceptions. */
  guard(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.fail(error)
    }
  }

  #find(identity: Identity, id: string | undefined, next: (session: FoundSession) => void): void {
    if (id === undefined) return next(undefined)
    const found = this.serving.front.session(id, identity)
    if (!(found instanceof Promise)) return next(found ?? 'session_unknown')
    void this.#whenSettled<FoundSession>(found.catch(notThere), (session) => next(session ?? 'session_unknown'))
  }

  /** Finds a session for a profile that accepts the id in several places, and may require the revision header. */
  #findShaped(identity: Identity, shape: HttpShape, next: (session: FoundSession) => void): void {
    const named = sessionNamed(this)
    const from = { identity }
    if (!named.ok) return this.refuse('invalid_request', { from, message: named.message })
    this.#find(identity, named.id, (session) => {
      if (session === undefined || typeof session === 'string') return next(session)
      if (this.revision !== undefined || !shape.namesRevision(session.revision)) return next(session)
      const message = `Expected MCP-Protocol-Version with every request at ${session.revision}, got none`
      this.refuse('unsupported_version', { from: { identity, session }, message })
    })
  }

  #judged(verdict: Identity | Challenge, next: (identity: Identity) => void): void {
    if (verdict.kind === 'challenge') return this.#challenge(verdict)
    if (!this.#speaks(verdict)) return
    this.expires = verdict.expires
    next(verdict)
  }

  /** Whether the tenant has this path, and the revision that the request names, if any, is one of the tenant's. */
  #speaks(identity: Identity): boolean {
    if (this.pathSession !== undefined && identity.tenant.profile.http === undefined) {
      this.refuse('unknown_tenant', { from: { identity } })
      return false
    }
    const { profile } = identity.tenant
    const named = judgeRevisionHeader(this.header(headers.protocolVersion), profile)
    if (named.ok) this.revision = named.revision
    this.isStateless =
      profile.stateless.length > 0 &&
      (this.revision === undefined
        ? this.header(headers.method) !== undefined && this.header(headers.sessionId) === undefined
        : profile.stateless.includes(this.revision))
    // A request of a revision without sessions is refused with its id, and with the versions that are spoken here.
    if (named.ok || this.isStateless) return true
    this.refuse(named.situation, { from: { identity }, message: named.message })
    return false
  }

  #challenge({ status, situation, error, nullId = true, headers: more }: Challenge): void {
    this.serving.log.debug('a caller was not let in', { status })
    this.#askBody(({ dialect, id, unanswered }) => {
      if (unanswered !== undefined) return this.turnAway(situation, { status, headers: more }, unanswered)
      const text =
        dialect === '3.0'
          ? this.serving.front.refuse(situation, { dialect }, error.message, id).text
          : printError(undefined, error, nullId)
      answerJson(this.response, status, text, { ...this.moreHeaders(), ...more })
    })
  }

  /** Calls `next` with what the start of an unread body declares. The body is inspected once. */
  #askBody(next: (start: BodyStart) => void): void {
    if (this.#isAsked) return next({ dialect: undefined, id: undefined, unanswered: undefined })
    this.#isAsked = true
    readStart(this.request, this.serving.limits.frame, (start) => this.guard(() => next(start)))
  }

  async #whenSettled<Value>(value: Promise<Value>, next: (value: Value) => void): Promise<void> {
    try {
      next(await value)
    } catch (error) {
      this.fail(error)
    }
  }
}

/** The reason why a session could not be looked up; throws the error if it is a fault of this program. */
function notThere(error: unknown): 'fabric_unavailable' {
  const situation = situationOf(error)
  if (situation === 'fabric_unavailable') return situation
  throw error
}
