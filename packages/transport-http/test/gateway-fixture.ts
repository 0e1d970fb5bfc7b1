import type { Challenge, Front, Head, Identity, Origin, Session } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import { type Message, payloadOf, printError, printResult, printV3Error, type Request } from '@junctor/jsonrpc'
import { isRevision, mcpProfile, methods, type Profile, type Revision, saasProfile, wireError } from '@junctor/protocol'
import { createSampleMessageEndpoints } from './sample-message-endpoints.ts'

/** A request that the test answers itself, with the sink of the request. */
export interface Round {
  readonly message: Request
  readonly from: Origin
  readonly sink: Sink
  /** The calls of the sink to its owner, in order: `waiting`, `lost`. */
  readonly ownerCalls: string[]
}

/** A small gateway: it echoes, keeps a table of sessions, and leaves other requests to the test. */
export interface FixtureGateway extends Front {
  /** Everything that was received, in order. */
  readonly received: Message[]
  /** Methods of notifications that were refused. */
  readonly ignored: string[]
  readonly sessions: Map<string, Session>
  /** Whether `authenticate` and `session` return promises. */
  slow: boolean
  /** When the credentials of the next callers expire, in epoch milliseconds. */
  expires: number | undefined
  /** Adds a session as if it had been opened. */
  open(revision: Revision, subject?: string, tenant?: string): Session
  /** Resolves with the next GET, or the next request that the gateway does not answer itself. */
  round(): Promise<Round>
}

/** Creates a gateway without sessions. It holds nothing that must be closed. */
export function createFixtureGateway(): FixtureGateway {
  const rounds: Round[] = []
  const waiters: ((round: Round) => void)[] = []
  const sessions = new Map<string, Session>()
  const received: Message[] = []
  const ignored: string[] = []

  const hand = (message: Request, from: Origin, sink: Sink): void => {
    const ownerCalls: string[] = []
    sink.owner = { lost: () => ownerCalls.push('lost'), waiting: () => ownerCalls.push('waiting') }
    const round = { message, from, sink, ownerCalls }
    const waiter = waiters.shift()
    if (waiter === undefined) rounds.push(round)
    else waiter(round)
  }

  const front: FixtureGateway = {
    received,
    ignored,
    sessions,
    messageEndpoints: createSampleMessageEndpoints(),
    reportError() {},
    slow: false,
    expires: undefined,
    open(revision, subject = 'alice', name) {
      const { principal, tenant } = identityOf(subject, name)
      const id = `${tenant.profile.sessionIds}${sessions.size}`
      const context = { tenant: tenant.name, principal, session: id, revision, client, trace: undefined }
      const session: Session = { id, tenant, principal, revision, context, home: 'node0000' }
      sessions.set(id, session)
      return session
    },
    round() {
      const round = rounds.shift()
      return round === undefined ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve(round)
    },
    authenticate(head) {
      const known = authenticate(head)
      const { expires } = front
      const verdict = known.kind === 'identity' && expires !== undefined ? { ...known, expires } : known
      return front.slow ? Promise.resolve(verdict) : verdict
    },
    session(id, { principal, tenant }) {
      const session = sessions.get(id)
      const own = session?.principal.key === principal.key && session.tenant.name === tenant.name ? session : undefined
      return front.slow ? Promise.resolve(own) : own
    },
    receive(message, from, sink) {
      received.push(message)
      if (message.kind !== 'request') return
      switch (message.method) {
        case methods.initialize: {
          const { protocolVersion } = (message.params ?? payloadOf({})).value() as { protocolVersion: string }
          from.session = front.open(isRevision(protocolVersion) ? protocolVersion : '2025-11-25')
          void sink.send(printResult(message.id, payloadOf({ protocolVersion })), true)
          break
        }
        case 'echo':
          void sink.send(printResult(message.id, message.params ?? payloadOf({})), true)
          break
        case 'throw':
          throw new Error('secret of the gateway')
        default:
          hand(message, from, sink)
      }
    },
    refuseOn(sink, situation, from, message, id) {
      const { text, status } = front.refuse(situation, from, message, id)
      void sink.send(text, true, undefined, status)
    },
    silence() {},
    collect(message, _head, tenant, sink) {
      const { authToken } = (message.params ?? payloadOf({})).value() as { authToken?: string }
      if (authToken === undefined) return false
      hand(message, { ...nowhere, identity: identityOf(authToken, tenant) }, sink)
      return true
    },
    ignore({ method }) {
      ignored.push(method)
    },
    resume(session, lastEventId, sink) {
      const params = payloadOf({ lastEventId: lastEventId ?? null })
      const message: Request = { kind: 'request', dialect: '2.0', id: '0' as Request['id'], method: 'resume', params }
      hand(message, { ...nowhere, identity: identityOf('alice', undefined), session }, sink)
    },
    async end(session) {
      if (session.revision === '2025-03-26') throw new Error('secret of the store')
      sessions.delete(session.id)
    },
    refuse(situation, from, message, id) {
      const revision = from?.session?.revision ?? from?.revision
      const dialect = from?.dialect ?? '2.0'
      const profile = from?.identity?.tenant.profile ?? mcpProfile
      const view = { revision, dialect, profile }
      const error = wireError(situation, view, message === undefined ? {} : { message })
      const text = dialect === '3.0' ? printV3Error(id, error, false) : printError(id, error, profile.nullId(revision))
      return { status: error.status ?? 500, text }
    },
  }
  return front
}

const nowhere = { transport: 'http', session: undefined, revision: undefined, dialect: '2.0' } as const

const client = { info: { name: 'test', version: '1' }, capabilities: {} }

/**
 * `Bearer <name>` is that principal, no header is `alice`; `nobody` is challenged, `boom` makes the authenticator fail.
 */
function authenticate(head: Head): Identity | Challenge {
  const subject = head.header('authorization')?.slice('Bearer '.length) ?? 'alice'
  if (subject === 'boom') throw new Error('secret of the issuer')
  const view = { revision: undefined, dialect: '2.0', profile: mcpProfile } as const
  const named = head.header('mcp-protocol-version')
  const nullId = mcpProfile.nullId(isRevision(named) ? named : undefined)
  if (subject === 'nobody') {
    const headers = { 'www-authenticate': 'Bearer resource_metadata="https://gw.example.com/x"' }
    return {
      kind: 'challenge',
      status: 401,
      situation: 'unauthenticated',
      error: wireError('unauthenticated', view),
      nullId,
      headers,
    }
  }
  if (head.tenant !== undefined && !tenants.has(head.tenant)) {
    return {
      kind: 'challenge',
      status: 404,
      situation: 'unknown_tenant',
      error: wireError('unknown_tenant', view),
      headers: {},
    }
  }
  return identityOf(subject, head.tenant)
}

/** `acme` is like the path without a tenant, and has an endpoint of one backend; `queue` has the profile `saas`. */
const tenants: ReadonlySet<string> = new Set(['acme', 'acme/-/files', 'queue'])

function identityOf(subject: string, tenant: string | undefined): Identity {
  const principal = { issuer: 'test', subject, key: `test ${subject}` }
  return { kind: 'identity', principal, tenant: { name: tenant ?? 'default', profile: profileOf(tenant) } }
}

function profileOf(tenant: string | undefined): Profile {
  return tenant === 'queue' ? saasProfile : mcpProfile
}
