import { JunctorError } from '@junctor/protocol'
import { createInbox, headers as emptyHeaders, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { type ClientSubjects, isOwn } from '../client-subjects.ts'
import { errorCodeHeader, errorHeader } from '../headers.ts'

/** The subjects of a channel, in the gateway's answer. */
export interface GivenChannel {
  readonly in: string
  readonly out: string
}

/** How long a gateway may take to authenticate a client, which may need an issuer's keys, in milliseconds. */
const timeoutMs = 10_000

/** Asks the gateways for a channel, with credentials in the headers. Rejects like `SdkTransport.start`. */
export async function askForChannel(
  connection: NatsConnection,
  subjects: ClientSubjects,
  sent: Readonly<Record<string, string>>,
): Promise<GivenChannel> {
  const headers = emptyHeaders()
  for (const [name, value] of Object.entries(sent)) headers.set(name, value)
  // Under the client's own root: gateways answer nowhere else.
  const reply = createInbox(`${subjects.root}.reply`)
  const answer = await request(connection, subjects.open, { headers, reply, noMux: true, timeout: timeoutMs })
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
  subject: string,
  options: Parameters<NatsConnection['request']>[2],
): Promise<Msg> {
  try {
    return await connection.request(subject, undefined, options)
  } catch (cause) {
    throw new JunctorError('BACKEND_UNREACHABLE', `Expected a gateway to answer on ${subject}, got none`, { cause })
  }
}
