import {
  createPacedWarning,
  type Front,
  type Head,
  type Identity,
  type Log,
  type PacedWarning,
} from '@junctor/contracts'
import { printError } from '@junctor/jsonrpc'
import { headersOf, LastingSubscription } from '@junctor/nats'
import { headers as names } from '@junctor/protocol'
import { headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import { askerOf, type ClientSubjects, isOwn, openingsOf } from '../client-subjects.ts'
import { errorCodeHeader, errorHeader } from '../headers.ts'
import { untilServerReceived } from '../until-server-received.ts'
import { BusHead } from './bus-head.ts'

/** The cluster whose requests are received, who authenticates them, and what is done with an admitted client. */
export interface OpeningsOptions {
  readonly connection: NatsConnection
  readonly cluster: string
  readonly front: Pick<Front, 'authenticate' | 'refuse' | 'reportError'>
  readonly log: Log
  /**
   * Called with an admitted client. Returns the name of its channel, already subscribed; undefined: the limit is
   * reached.
   */
  accept(subjects: ClientSubjects, identity: Identity, head: Head): string | undefined
}

/** The requests of clients for a channel. */
export interface Openings {
  /** Receives no more of them, and refuses those whose credentials are being checked. */
  stop(): Promise<void>
}

/** The requests whose credentials are being checked. */
interface Checks {
  /** Refuses each of them. */
  readonly refusals: Set<() => void>
  /** Whether they were refused, and no client is admitted any more. */
  isStopped: boolean
}

/** The queue group of a cluster's gateways: each request is delivered to one of them. */
const group = 'gateways'

/**
 * Authenticates a client that asks for a channel, by the credentials in the headers and for the tenant in the subject,
 * before it creates the channel. Answers are sent only to subjects under the client's own root, never to another reply
 * subject.
 */
export function createOpenings(options: OpeningsOptions): Openings {
  const { connection, cluster, front } = options
  const checks: Checks = { refusals: new Set(), isStopped: false }
  const crowded = createPacedWarning(options.log, 'a client on the bus was not let in', 'requests')
  const take = (message: Msg): void => {
    letIn({ ...options, crowded }, checks, message).catch((error: unknown) => {
      front.reportError('connection', error, { transport: 'nats' })
    })
  }
  const subscription = new LastingSubscription({
    connection,
    subject: openingsOf(cluster),
    queue: group,
    receive: take,
  })
  return {
    async stop() {
      await untilServerReceived(connection, () => subscription.drain())
      checks.isStopped = true
      for (const refuse of checks.refusals) refuse()
    },
  }
}

/** What a request for a channel needs. */
interface LetInOptions extends OpeningsOptions {
  /** Warns of clients that are refused because there are too many: any client can ask often. */
  readonly crowded: PacedWarning
}

async function letIn(options: LetInOptions, checks: Checks, message: Msg): Promise<void> {
  const { connection, front, log } = options
  const { subject, reply = '' } = message
  const asker = askerOf(subject)
  if (asker === undefined || !isOwn(asker.subjects, reply)) {
    log.debug('a client on the bus asked for a channel without a reply subject of its own', { subject })
    return
  }
  const { subjects, tenant } = asker
  const answer = (text: string, extraHeaders?: MsgHdrs): void => {
    if (!connection.isClosed())
      connection.publish(reply, text, extraHeaders === undefined ? {} : { headers: extraHeaders })
  }
  const refuse = (reason: string): void => {
    answer(front.refuse('overloaded', undefined, reason).text, errorHeaders(503, reason, { [names.retryAfter]: '1' }))
  }
  const refuseForClosing = (): void => refuse('The server is shutting down')
  if (checks.isStopped) return refuseForClosing()
  checks.refusals.add(refuseForClosing)
  try {
    const head = new BusHead(tenant, headersOf(message))
    const verdict = await front.authenticate(head)
    // It was refused when the server closed.
    if (checks.isStopped) return
    if (verdict.kind === 'challenge') {
      log.debug('a client on the bus was not let in', { status: verdict.status })
      const { status, error, nullId = true } = verdict
      return answer(printError(undefined, error, nullId), errorHeaders(status, error.message, verdict.headers))
    }
    const channel = options.accept(subjects, verdict, head)
    if (channel === undefined) {
      options.crowded('there are too many')
      return refuse('Too many clients')
    }
    answer(JSON.stringify({ in: subjects.in(channel), out: subjects.out(channel) }))
  } catch (error) {
    front.reportError('connection', error, { transport: 'nats' })
    if (!checks.isStopped) answer(front.refuse('internal_error', undefined).text, errorHeaders(500, 'Internal error'))
  } finally {
    checks.refusals.delete(refuseForClosing)
  }
}

function errorHeaders(status: number, message: string, more: Readonly<Record<string, string>> = {}): MsgHdrs {
  const made = headers()
  made.set(errorCodeHeader, String(status))
  made.set(errorHeader, message)
  for (const [name, value] of Object.entries(more)) made.set(name, value)
  return made
}
