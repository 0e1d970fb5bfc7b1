import {
  connect as connectNew,
  headers as newHeaders,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node'
import { eventually } from '@junctor/testkit'
import { connect as connectOld, headers as oldHeaders } from 'nats'
import { expect, onTestFinished } from 'vitest'

/** A client of the bus that uses only NATS and the README. */
export interface RawClient {
  /** The received messages, without marks and closes. */
  readonly texts: string[]
  /** The gateway's reason for closing. */
  readonly goodbyes: string[]
  readonly send: (...messages: readonly (string | object)[]) => void
  /** Publishes any message to any subject. */
  readonly publish: (subject: string, body: string | Uint8Array, headers?: Readonly<Record<string, string>>) => void
  /** Sends a mark. Its answer is not read. */
  readonly mark: () => void
  /** Publishes a message on its channel with headers that no NATS library would send. */
  readonly publishMalformed: (body: string) => void
  /** Stops answering marks, until `answerAgain`. */
  stopAnswering(): void
  answerAgain(): void
  /** Resolves when the server has received all messages. */
  flush(): Promise<void>
  /** Disconnects without a close. */
  readonly leave: () => Promise<void>
}

/** The answer to a client that asked for a channel. */
interface Opening {
  readonly body: Record<string, unknown>
  readonly headers: Readonly<Record<string, string>>
}

interface RawOptions {
  readonly tenant?: string
  readonly client?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Official NATS clients: the current one and its predecessor. Only their common features are used. */
interface NatsLibrary {
  readonly connect: typeof connectNew
  readonly headers: typeof newHeaders
}

const natsClients: Readonly<Record<NatsClient, NatsLibrary>> = {
  '@nats-io/transport-node': { connect: connectNew, headers: newHeaders },
  'nats 2.29': {
    connect: connectOld as unknown as typeof connectNew,
    headers: oldHeaders as unknown as typeof newHeaders,
  },
}

/** The NATS library of a client. Clients of the bus use both, so both must work. */
export type NatsClient = '@nats-io/transport-node' | 'nats 2.29'

const good = { authorization: 'Bearer good' }

/** Headers of a program that uses no NATS library: a name with a space. */
export function malformedHeaders(): MsgHdrs {
  return Object.assign(newHeaders(), { encode: () => Buffer.from('NATS/1.0\r\nno name: x\r\n\r\n') })
}

/** A client with the answer to its request. */
export interface Asked {
  readonly connection: NatsConnection
  readonly headersOf: (values: Readonly<Record<string, string>>) => MsgHdrs
  readonly root: string
  readonly opening: Opening
}

/** Asks for a channel. */
export async function ask(url: string, name: NatsClient, options: RawOptions = {}): Promise<Asked> {
  const { tenant = 'default', client = 'me', headers: sent = good } = options
  const nats = natsClients[name]
  const root = `mcp.v1.test.${tenant}.${client}`
  const connection = await nats.connect({ servers: url, inboxPrefix: `${root}.reply` })
  onTestFinished(() => connection.close())
  const headersOf = (values: Readonly<Record<string, string>>): MsgHdrs => {
    const made = nats.headers()
    for (const [key, value] of Object.entries(values)) made.set(key, value)
    return made
  }
  const answer = await connection.request(`${root}.open`, '', { headers: headersOf(sent), timeout: 2_000 })
  const body = JSON.parse(new TextDecoder().decode(answer.data)) as Record<string, string>
  const headers = Object.fromEntries([...(answer.headers ?? [])].map(([key, values]) => [key, values[0] ?? '']))
  return { connection, headersOf, root, opening: { body, headers } }
}

/** A client on its own channel. */
export async function join(url: string, name: NatsClient = 'nats 2.29', options?: RawOptions): Promise<RawClient> {
  const { connection, headersOf, opening } = await ask(url, name, options)
  const { in: inSubject = '', out: outSubject = '' } = opening.body as Record<string, string>
  const texts: string[] = []
  const goodbyes: string[] = []
  const marks: string[] = []
  const answer = (): void => {
    for (const mark of marks.splice(0)) connection.publish(mark)
  }
  let answering = true
  let whole: Uint8Array[] = []
  connection.subscribe(outSubject, {
    callback(error, { data, headers, reply = '' }) {
      if (error !== null) throw error
      const goodbye = headers?.get('Junctor-Close') ?? ''
      if (goodbye !== '') goodbyes.push(goodbye)
      else if (data.length === 0) {
        if (reply !== '') marks.push(reply)
        if (answering) answer()
      } else {
        whole.push(data)
        if (headers?.has('Junctor-More') === true) return
        texts.push(new TextDecoder().decode(Buffer.concat(whole)))
        whole = []
      }
    },
  })
  await connection.flush()
  return {
    texts,
    goodbyes,
    send(...messages) {
      for (const one of messages) connection.publish(inSubject, typeof one === 'string' ? one : JSON.stringify(one))
    },
    publish: (subject, body, extraHeaders = {}) =>
      connection.publish(subject === '' ? inSubject : subject, body, { headers: headersOf(extraHeaders) }),
    mark: () => connection.publish(inSubject, '', { reply: outSubject }),
    publishMalformed: (body) => connection.publish(inSubject, body, { headers: malformedHeaders() }),
    stopAnswering() {
      answering = false
    },
    answerAgain() {
      answering = true
      answer()
    },
    flush: () => connection.flush(),
    leave: () => connection.close(),
  }
}

/** Opens a session; the texts of its opening are removed from `texts`. */
export async function open(url: string, name?: NatsClient, revision = '2025-11-25'): Promise<RawClient> {
  const client = await join(url, name)
  client.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: revision } })
  await eventually(() => expect(client.texts).toHaveLength(2))
  client.texts.length = 0
  return client
}
