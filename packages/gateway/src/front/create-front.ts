import type { Challenge, Fabric, Front, Head, Identity, MessageEndpoints } from '@junctor/contracts'
import type { EndReason } from '@junctor/exchange'
import type { SessionDirectory } from '../sessions/session-directory.ts'
import type { AskTable } from '../sessions/asks/ask-table.ts'
import type { SessionTable } from '../sessions/session/session-table.ts'
import { sessionMark } from '../shared/session-mark.ts'
import { collectByToken, jobTokenOf } from './deferred/collect-by-token.ts'
import { createRefusals, type RefusalParts } from './create-refusals.ts'
import { receiveRequest, type RequestParts } from './receive-request.ts'
import { noteNotification, receiveUnanswered, type UnansweredParts } from './receive-unanswered.ts'
import { sendRefusal } from './requests/send-refusal.ts'
import { resumeStream } from './resume/resume-stream.ts'
import type { StreamReaders } from './resume/stream-readers.ts'

/** Who may call, and where callers get tokens. */
export interface FrontAccess {
  /**
   * Judges who sends a request, by its head alone. The request waits for it, so what it asks elsewhere needs a time limit.
   * When it throws, the client gets an internal error.
   */
  readonly authenticate: (head: Head) => Identity | Challenge | Promise<Identity | Challenge>
  /** Default: credentials are good until they expire. */
  readonly watch?: Front['watch']
  /** The metadata of an endpoint as a protected resource, by its tenant. Default: there are none. */
  readonly metadata?: Front['metadata']
}

/** What the front needs. */
export interface FrontParts extends RequestParts, UnansweredParts, RefusalParts {
  readonly fabric: Fabric
  /** Whether a node is present, also while it cannot be reached for a moment. */
  readonly isPresent: (node: string) => Promise<boolean>
  readonly access: FrontAccess
  readonly messageEndpoints: MessageEndpoints
  readonly streamReaders: StreamReaders
  readonly table: SessionTable
  readonly directory: Pick<SessionDirectory, 'find' | 'setExtensions'>
  endSession(id: string, reason: EndReason): Promise<void>
  readonly asks: Pick<AskTable, 'silence'>
}

/** Creates the part of the gateway that transports call. */
export function createFront(parts: FrontParts): Front {
  const { access, directory, dispatching, jobs, profile } = parts
  const { reportError, emit } = dispatching
  const collecting = { jobs, dispatching, tenants: parts.opening.tenants, profile }
  const { fabric, table, streamReaders, isPresent } = parts
  const resuming = { ...dispatching, fabric, table, streamReaders, isPresent }

  return {
    ...createRefusals(parts),
    authenticate: access.authenticate,
    ...(access.watch !== undefined && { watch: access.watch }),
    metadata: (tenant, path) => access.metadata?.(tenant, path),
    messageEndpoints: parts.messageEndpoints,
    session: directory.find,
    // The id of a session is a credential, so the log gets only its mark.
    reportError(where, error, about) {
      const session = about?.['session']
      reportError(where, error, typeof session === 'string' ? { ...about, session: sessionMark(session) } : about)
    },
    receive(message, from, sink) {
      from.dialect = message.dialect
      try {
        if (message.kind !== 'request') return receiveUnanswered(parts, message, from)
        receiveRequest(parts, message, from, sink)
      } catch (error) {
        reportError('request', error, { method: 'method' in message ? message.method : message.kind })
        if (message.kind !== 'request') return undefined
        const client = { tenant: from.identity.tenant, revision: from.session?.revision }
        sendRefusal(emit, { client, request: message, sink }, 'internal_error')
      }
      return undefined
    },
    ignore: (notification, from) => noteNotification(dispatching, notification, from),
    collect(message, head, tenant, sink) {
      const token = jobTokenOf(message, head)
      if (token === undefined) return false
      void collectByToken(collecting, message, token, tenant, sink)
      return true
    },
    resume: (session, lastEventId, sink) => resumeStream(resuming, session, lastEventId, sink),
    silence: ({ id }) => parts.asks.silence(id),
    end: (session, reason) => parts.endSession(session.id, reason),
  }
}
