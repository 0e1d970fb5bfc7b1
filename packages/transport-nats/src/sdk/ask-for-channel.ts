import { JunctorError } from '@junctor/protocol'
import { headersOf } from '@junctor/nats'
import {
  createInbox,
  headers as emptyHeaders,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node'
import { type ClientSubjects, isOwn } from '../client-subjects.ts'
import { followConnection } from '../follow-connection.ts'
import { errorCodeHeader, errorHeader } from '../headers.ts'

/** The subjects of a channel, in the gateway's answer. */
export interface GivenChannel {
  readonly in: string
  readonly out: string
}

/** How long a gateway may take to authenticate a client, which may need an issuer's keys, in milliseconds. */
const timeoutMs = 10_000

/** How soon to ask again when no gateway is back after a lost connection, in milliseconds. */
const againMs = 200

/**
 * Asks the gateways for a channel, with credentials in the headers. When the connection to NATS is lost meanwhile, it
 * asks again once it is back: the request or its answer is lost. Rejects like `SdkTransport.start`.
 */
export async function askForChannel(
  connection: NatsConnection,
  subjects: ClientSubjects,
  sent: Readonly<Record<string, string>>,
): Promise<GivenChannel> {
  const answer = await request(connection, subjects, sent)
  const code = answer.headers?.get(errorCodeHeader) ?? ''
  if (code !== '') {
    throw new JunctorError('BACKEND_REFUSED', `The gateway answered ${code}: ${answer.headers?.get(errorHeader) ?? ''}`)
  }
  const given = answer.json<Partial<GivenChannel>>()
  if (isOwn(subjects, given.in ?? '') && isOwn(subjects, given.out ?? '')) return given as GivenChannel
  throw new JunctorError('BACKEND_REFUSED', `Expected subjects under ${subjects.root}, got others from the gateway`)
}

async function request(
  connection: NatsConnection,
  { root, open }: ClientSubjects,
  sent: Readonly<Record<string, string>>,
): Promise<Msg> {
  const headers = emptyHeaders()
  for (const [name, value] of Object.entries(sent)) headers.set(name, value)
  const { promise, resolve, reject } = Promise.withResolvers<Msg>()
  const unreachable = (cause?: unknown): void => {
    reject(new JunctorError('BACKEND_UNREACHABLE', `Expected a gateway to answer on ${open}, got none`, { cause }))
  }
  // Under the client's own root: gateways answer nowhere else.
  const reply = createInbox(`${root}.reply`)
  const ask = (): void => {
    try {
      connection.publish(open, undefined, { headers, reply })
    } catch (error) {
      unreachable(error)
    }
  }
  let isBack = false
  const timers = new Set([setTimeout(unreachable, timeoutMs)])
  const receive = (message: Msg): void => {
    if (message.data.length > 0 || headersOf(message)?.code !== 503) resolve(message)
    // The gateways may need longer to connect again than this client.
    else if (isBack) timers.add(setTimeout(ask, againMs))
    else unreachable()
  }
  const returned = (): void => {
    isBack = true
    ask()
  }
  const watch = followConnection(connection, { returned, closed: unreachable }, unreachable)
  let subscription: Subscription | undefined
  try {
    subscription = connection.subscribe(reply, {
      callback: (error, message) => (error === null ? receive(message) : unreachable(error)),
    })
    ask()
  } catch (error) {
    unreachable(error)
  }
  try {
    return await promise
  } finally {
    watch.stop()
    for (const timer of timers) clearTimeout(timer)
    if (!connection.isClosed()) subscription?.unsubscribe()
  }
}
