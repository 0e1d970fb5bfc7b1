import type { Challenge, Fabric, Front, Head, Identity, Origin, Postbox } from '@junctor/contracts'
import type { EndReason, Sink } from '@junctor/exchange'
import type { Message, Notification, Request } from '@junctor/jsonrpc'
import { payloadFromText, printError, printResult, printV3Error, printV3Result, wantsStream } from '@junctor/jsonrpc'
import type { Profile } from '@junctor/protocol'
import { latestHandshake, methodMeant, methods, noExtensions, rpcMethods, wireError } from '@junctor/protocol'
import { encryptionAsked } from './encryption/encryption-asked.ts'
import { FrontSession } from '../sessions/front-session.ts'
import type { JobDesk } from '../jobs/job-desk.ts'
import type { SessionDirectory } from '../sessions/session-directory.ts'
import type { SessionTable } from '../sessions/session-table.ts'
import type { SessionlessCallers } from '../sessions/sessionless-callers.ts'
import { cancelTarget, isCancel } from './cancel-request.ts'
import { collect } from './collect.ts'
import { collectByToken, jobTokenOf } from './collect-by-token.ts'
import type { ClientMessages } from './client-messages.ts'
import type { OpeningParts } from './begin-session.ts'
import { deliveryOf } from './delivery.ts'
import type { DispatchParts } from './dispatch.ts'
import { dispatch } from './dispatch.ts'
import { isNegotiation, negotiateIn } from './negotiate.ts'
import type { DeferredAnswers } from './deferred.ts'
import { openImplicitly, openSession } from './open-session.ts'
import { refuseRequest } from './refuse-request.ts'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { resumeStream } from './resume-streams.ts'
import { sessionMark } from '../shared/session-mark.ts'

/** What the front stands on. */
export interface FrontParts {
  readonly fabric: Fabric
  /** Whether a node is there, also when it cannot be reached for a moment. */
  readonly isThere: (node: string) => Promise<boolean>
  readonly authenticate: (head: Head) => Identity | Challenge | Promise<Identity | Challenge>
  /** What refusals look like where no tenant is known. */
  readonly profile: () => Profile
  readonly postbox: Postbox
  readonly table: SessionTable
  readonly directory: Pick<SessionDirectory, 'find' | 'agree'>
  /** What serves callers without a session, where their tenant's profile lets them. */
  readonly sessionless: SessionlessCallers
  readonly messages: ClientMessages
  readonly opening: OpeningParts
  readonly dispatching: DispatchParts
  readonly jobs: JobDesk
  readonly deferred: DeferredAnswers
  endSession(id: string, reason: EndReason): Promise<void>
}

/** What a client of MCP speaks that sends no revision (Transports, Protocol Version Header). */
const assumedRevision = '2025-03-26'

const nothing = payloadFromText('{}')

/** The answer to a request that has nothing to tell. */
function emptyAnswer(request: Request): string {
  const { id, dialect } = request
  return dialect === '3.0' ? printV3Result(id, nothing, wantsStream(request)) : printResult(id, nothing)
}

/**
 * Whether a request without a session opens one: of JSON-RPC 3.0 any, where the connection is the session. Over HTTP only
 * what makes no sense without.
 */
function opensSession(request: Request, { transport }: Origin): boolean {
  return request.dialect === '3.0' && (transport !== 'http' || isNegotiation(request))
}

/** The gateway as transports see it. */
export function createFront(parts: FrontParts): Front {
  const { directory, table, messages, dispatching, fabric, isThere } = parts
  const { caught } = dispatching
  const collecting = { jobs: parts.jobs, dispatching, tenants: parts.opening.tenants, profile: parts.profile }
  const resuming = { parts: dispatching, fabric, table, isThere }

  const request = (message: Request, from: Origin, sink: Sink): void => {
    const session = from.session === undefined ? undefined : table.served(from.session.id)
    const refused = { tenant: from.identity.tenant, revision: from.session?.revision }
    if (session === undefined || isCancel(message)) {
      // Before a session is opened for it, or anything is done. All else is judged where its exchange is opened.
      const encryption = encryptionAsked(message, session?.context.extensions ?? noExtensions)
      if (encryption.kind === 'invalid') {
        return refuseRequest(dispatching.tell, refused, message, sink, 'invalid_params', encryption.message)
      }
      if (isCancel(message)) return cancelled(session, message, sink, encryption.kind === 'encrypt')
    }
    if (message.method === methods.initialize) return openSession(parts.opening, dispatching, message, from, sink)
    if (session !== undefined) return serve(session, message, from, sink)
    // The one request that may come before `initialize` (Lifecycle).
    const { profile } = from.identity.tenant
    if (message.method === methods.ping && profile.earlyPing) return void sink.send(emptyAnswer(message), true)
    if (from.session === undefined) {
      if (opensSession(message, from)) {
        const opened = openImplicitly(parts.opening, dispatching, message, from, sink)
        return opened === undefined ? undefined : serve(opened, message, from, sink)
      }
      if (profile.sessionless || message.dialect === '3.0') {
        return serve(visit(message, from), message, from, sink)
      }
    }
    const situation = from.session === undefined ? 'session_missing' : 'session_unknown'
    refuseRequest(dispatching.tell, refused, message, sink, situation)
  }

  /** Answers a request where it came, or later. */
  const serve = (session: FrontSession, message: Request, from: Origin, sink: Sink): void => {
    if (isNegotiation(message)) {
      return dispatch(dispatching, session, message, sink, negotiateIn(parts.fabric, directory, session, from))
    }
    if (message.method === rpcMethods.jobResult) return collect(parts.jobs, dispatching, session, message, sink)
    const delivery = deliveryOf(message, session.context, from, session.tenant.profile)
    if (delivery.kind === 'inline') dispatch(dispatching, session, message, sink)
    else parts.deferred.submit(session, message, delivery, sink)
  }

  /** Answered whatever it names: what is unknown or somebody else's need not be told apart from what is over. */
  const cancelled = (session: FrontSession | undefined, message: Request, sink: Sink, isEncrypted: boolean): void => {
    if (session !== undefined) messages.cancelAnywhere(session, cancelTarget(message.params))
    if (session !== undefined && isEncrypted) return dispatch(dispatching, session, message, sink, () => emptyOutcome)
    void sink.send(emptyAnswer(message), true)
  }

  /** What a client sent in its session that is never answered. */
  const take = (session: FrontSession, message: Exclude<Message, Request>): void => {
    if (message.kind === 'notification') {
      if (!isCancel(message)) return messages.notification(session, message)
      return messages.cancelAnywhere(session, cancelTarget(message.params))
    }
    if (message.kind === 'result' || message.kind === 'error') return messages.response(session, message)
    if (message.kind !== 'abort' || session.context.extensions?.includes('abort') !== true) return
    messages.cancelAnywhere(session, message.id)
  }

  /** One request's own stand-in for a session: requests without one have nothing in common, not even their ids. */
  const visit = ({ dialect }: Request, { identity, revision }: Origin): FrontSession => {
    // A client of MCP that sends no revision is taken to speak an old one; one of JSON-RPC 3.0 need not know of them.
    const assumed = dialect === '3.0' ? (identity.tenant.profile.revisions[0] ?? latestHandshake) : assumedRevision
    const context = parts.sessionless.context(identity, revision ?? assumed)
    return new FrontSession('', identity.tenant, context, parts.fabric.node)
  }

  /** A message without an id is never answered, whatever it is and whatever becomes of it (JSON-RPC 2.0, section 4.1). */
  const notified = ({ method }: Pick<Notification, 'method'>, { identity }: Pick<Origin, 'identity'>): void => {
    const { name, profile } = identity.tenant
    dispatching.tell({ kind: 'notification_received', tenant: name, method: methodMeant(profile, method) })
    dispatching.log.debug('Received notification, no response', { method })
  }

  const receive = (message: Message, from: Origin, sink: Sink): void => {
    from.dialect = message.dialect
    if (message.kind === 'request') return request(message, from, sink)
    if (message.kind === 'notification') notified(message, from)
    const session = from.session === undefined ? undefined : table.served(from.session.id)
    if (session === undefined) return
    const home = table.peek(session.id)
    if (home !== undefined) home.dialect = message.dialect
    take(session, message)
  }

  const refuse: Front['refuse'] = (situation, from, message, id) => {
    const profile = from?.identity?.tenant.profile ?? parts.profile()
    const revision = from?.session?.revision
    const spoken = from?.session === undefined ? undefined : table.peek(from.session.id)?.dialect
    const dialect = from?.dialect ?? spoken ?? '2.0'
    const error = wireError(situation, { revision, dialect, profile }, message === undefined ? {} : { message })
    const text = dialect === '3.0' ? printV3Error(id, error, false) : printError(id, error, profile.nullId(revision))
    return { status: error.status ?? 500, text }
  }

  return {
    authenticate: parts.authenticate,
    postbox: parts.postbox,
    session: (id, identity) => directory.find(id, identity),
    // Whoever has a session's id may use it: in the log is its mark.
    caught(where, error, about) {
      const session = about?.['session']
      caught(where, error, typeof session === 'string' ? { ...about, session: sessionMark(session) } : about)
    },
    receive(message, from, sink) {
      try {
        receive(message, from, sink)
      } catch (error) {
        caught('request', error, { method: 'method' in message ? message.method : message.kind })
        if (message.kind !== 'request') return
        const { tenant } = from.identity
        refuseRequest(dispatching.tell, { tenant, revision: from.session?.revision }, message, sink, 'internal_error')
      }
    },
    collect(message, head, tenant, sink) {
      const token = jobTokenOf(message, head)
      if (token === undefined) return false
      void collectByToken(collecting, message, token, tenant, sink)
      return true
    },
    ignore: notified,
    refuseOn(sink, situation, from, message, id) {
      const refusal = refuse(situation, from, message, id)
      const session = from.session === undefined ? undefined : table.served(from.session.id)
      if (session !== undefined && parts.deferred.refuse(session, refusal, sink)) return
      void sink.send(refusal.text, true, undefined, refusal.status)
    },
    resume(session, lastEventId, sink) {
      resumeStream(resuming, session, lastEventId, sink)
    },
    end: (session, reason) => parts.endSession(session.id, reason),
    refuse,
  }
}
