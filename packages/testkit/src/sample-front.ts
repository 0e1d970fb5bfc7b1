import type {
  ErrorReporter,
  Challenge,
  Front,
  Head,
  Identity,
  Origin,
  MessageEndpoints,
  Session,
} from '@junctor/contracts'
import type { EndReason, Sink } from '@junctor/exchange'
import {
  type JsonObject,
  memberOf,
  type Message,
  payloadOf,
  printError,
  printMessage,
  printV3Error,
  type Request,
} from '@junctor/jsonrpc'
import { isRevision, mcpProfile, type Revision, wireError } from '@junctor/protocol'

/** A front that answers according to the name of the method, and records its calls. */
export interface SampleFront extends Front {
  /** The heads of all callers. */
  readonly heads: readonly Head[]
  /** Notifications and responses. */
  readonly taken: readonly Message[]
  /** Methods of notifications that were refused. */
  readonly ignored: readonly string[]
  /** The streams of the sessions. */
  readonly streams: readonly Sink[]
  readonly ended: readonly EndReason[]
  /** Exceptions that transports have caught. */
  readonly errors: readonly unknown[]
  /** Methods of requests that have lost their client. */
  readonly lost: readonly string[]
  /** When the credentials of the next callers expire, in epoch milliseconds. */
  expires: number | undefined
  /** Answers the oldest waiting request. */
  release(): void
}

/** This front has no posts. */
const nowhere: MessageEndpoints = { open: () => ({ name: 'nobody posts here', close() {} }), post: () => 'unknown' }

const principal = { issuer: 'api-key', subject: 'me', key: 'api-key|me' }
const view = { revision: undefined, dialect: '2.0', profile: mcpProfile } as const

/** Creates a front that has seen nothing. */
export function createSampleFront(): SampleFront {
  return new EchoFront()
}

class EchoFront implements SampleFront {
  readonly heads: Head[] = []
  readonly taken: Message[] = []
  readonly ignored: string[] = []
  readonly messageEndpoints = nowhere
  readonly ended: EndReason[] = []
  readonly errors: unknown[] = []
  readonly reportError: ErrorReporter = (_where, error) => void this.errors.push(error)
  readonly lost: string[] = []
  readonly streams: Sink[] = []
  readonly #streams = new Map<string, Sink>()
  expires: number | undefined
  #sessions = 0
  readonly #waiting: (() => void)[] = []

  /**
   * The user that has started the process is admitted, and `Bearer good` at existing tenants; `Bearer broken` makes the
   * authenticator throw.
   */
  async authenticate(head: Head): Promise<Identity | Challenge> {
    this.heads.push(head)
    if (head.transport === 'stdio') return identityAt('default')
    const authorization = head.header('authorization')
    if (authorization === 'Bearer broken') throw new Error('no keys')
    if (authorization !== 'Bearer good') {
      const headers = { 'www-authenticate': 'Bearer realm="junctor"' }
      return {
        kind: 'challenge',
        status: 401,
        situation: 'unauthenticated',
        error: wireError('unauthenticated', view),
        headers,
      }
    }
    const { tenant = 'default' } = head
    if (tenant === 'nobody') {
      return {
        kind: 'challenge',
        status: 404,
        situation: 'unknown_tenant',
        error: wireError('unknown_tenant', view),
        headers: {},
      }
    }
    const { expires } = this
    return { ...identityAt(tenant), ...(expires !== undefined && { expires }) }
  }

  session(): undefined {
    return undefined
  }

  receive(message: Message, from: Origin, sink: Sink): undefined {
    from.dialect = message.dialect
    if (message.kind !== 'request') {
      this.taken.push(message)
      return undefined
    }
    const { id, method, dialect } = message
    const result = (value: JsonObject): string =>
      printMessage({ kind: 'result', dialect, id, result: payloadOf(value) }, { nullId: true })
    sink.owner = { lost: () => void this.lost.push(method), waiting() {} }
    const answer = (): void => void sink.send(result({ method }), true)
    // The dialect has no handshake.
    if (dialect === '3.0') from.session ??= this.#session(from, '2025-11-25')
    if (method === 'initialize') this.#initialize(message, from, answer)
    else if (method === 'throw') throw new Error('a bug')
    else if (from.session === undefined) void sink.send(this.refuse('session_missing', from, undefined, id).text, true)
    else if (method === 'wait' || method === 'subscriptions/listen') this.#waiting.push(answer)
    else if (method === 'cancelled') void sink.send('', true)
    else if (method === 'large') void sink.send(result({ text: 'x'.repeat(100_000) }), true)
    else {
      if (method === 'stream') void sink.send('{"jsonrpc":"2.0","method":"progress"}', false)
      answer()
    }
    return undefined
  }

  refuseOn(...[sink, situation, from, message, id]: Parameters<Front['refuseOn']>): void {
    const { text, status } = this.refuse(situation, from, message, id)
    void sink.send(text, true, undefined, status)
  }

  silence(): void {}

  collect(): boolean {
    return false
  }

  ignore({ method }: { readonly method: string }): void {
    this.ignored.push(method)
  }

  /** Opens a session later, as when other nodes are notified of it. */
  #initialize(request: Request, from: Origin, answer: () => void): void {
    setImmediate(() => {
      from.session = this.#session(from, requestedRevision(request))
      answer()
    })
  }

  #session({ identity }: Origin, revision: Revision): Session {
    this.#sessions += 1
    return sampleSession(`s_${this.#sessions}`, identity, revision)
  }

  resume({ id }: Session, _lastEventId: string | undefined, sink: Sink): void {
    this.streams.push(sink)
    this.#streams.set(id, sink)
    sink.open()
    void sink.send('{"jsonrpc":"2.0","method":"opened"}', false)
  }

  async end({ id }: Session, reason: EndReason): Promise<void> {
    this.ended.push(reason)
    void this.#streams.get(id)?.send('', true)
  }

  release(): void {
    this.#waiting.shift()?.()
  }

  refuse(...[situation, from, message, id]: Parameters<Front['refuse']>): ReturnType<Front['refuse']> {
    const revision = from?.session?.revision ?? from?.revision
    const dialect = from?.dialect ?? '2.0'
    const error = wireError(situation, { ...view, revision, dialect }, message === undefined ? {} : { message })
    const text = dialect === '3.0' ? printV3Error(id, error, false) : printError(id, error, mcpProfile.nullId(revision))
    return { status: error.status ?? 500, text }
  }
}

function identityAt(tenant: string): Identity {
  return { kind: 'identity', principal, tenant: { name: tenant, profile: mcpProfile } }
}

function sampleSession(id: string, { tenant }: Identity, revision: Revision): Session {
  const client = { info: {}, capabilities: {} }
  const context = { tenant: tenant.name, principal, session: id, revision, client, trace: undefined }
  return { id, tenant, principal, revision, context, home: 'node' }
}

function requestedRevision({ params }: Request): Revision {
  const revision = memberOf(params?.value(), 'protocolVersion')
  return isRevision(revision) ? revision : '2025-11-25'
}
