import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { eventually } from '@junctor/testkit'
import { expect } from 'vitest'
import { demo } from '../src/in-gateway.ts'
import { natsTest } from '../src/nats-test.ts'
import { type NodeProcess, startNodeProcess } from '../src/node-process.ts'
import { rawRequest } from '../src/raw-request.ts'
import { readReceivedStream, type ReceivedMessage, type ReceivedStream } from '../src/saas/received-stream.ts'
import { agency, headersAt, token } from '../src/saas/in-saas.ts'

// Answers of the profile `saas` that were written to a connection that was lost. Real processes, and a client that has processed
// only the first answers of its connection.

const count = 40
const testLimit = { timeout: 120_000 }
const json = { 'content-type': 'application/json' }

type Spoken = '2024-11-05' | '2025-03-26'

/** A session whose home is the first node, and the answers that its client has processed. */
interface Client {
  /** Sends calls with these ids, and resolves when all are accepted. */
  ask(at: string, from: number, to: number): Promise<void>
  /** Opens the session's stream on a node, after the last processed answer. */
  listen(at: string): Promise<ReceivedStream>
  /** Marks exactly these messages as processed. */
  had(messages: readonly ReceivedMessage[]): void
  /** How often each answer was processed. */
  times(): readonly number[]
}

async function openClient(home: string, revision: Spoken, hasCursor: boolean): Promise<Client> {
  const headers = headersAt(revision)
  const initialize = {
    jsonrpc: '2.0',
    id: 'i',
    method: 'initialize',
    params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'lossy', version: '1' } },
  }
  const opened = await rawRequest(`${home}/${agency}`, {
    headers: { ...headers, ...json },
    body: JSON.stringify(initialize),
  })
  expect(opened.status).toBe(200)
  await opened.text()
  const session = String(opened.headers['mcp-session-id'])
  const seen: ReceivedMessage[] = []
  const place = (): Readonly<Record<string, string>> => {
    const cursor = seen.at(-1)?.cursor
    return hasCursor && cursor !== undefined ? { 'last-event-id': cursor } : {}
  }
  return {
    async ask(at, from, to) {
      const post = async (id: number): Promise<number> => {
        const params = { name: 'echo', arguments: { message: `answer ${id}` } }
        const answer = await rawRequest(`${at}/${agency}`, {
          headers: { ...headers, ...json, 'mcp-session-id': session },
          body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
        })
        await answer.text()
        return answer.status
      }
      const statuses = await Promise.all(Array.from({ length: to - from }, (_, index) => post(from + index)))
      expect(statuses.filter((status) => status !== 202)).toEqual([])
    },
    async listen(at) {
      const query = hasCursor && revision !== '2024-11-05' ? '&cursor=' : ''
      const stream = await readReceivedStream(`${at}/${agency}?session_id=${session}${query}`, {
        ...headers,
        ...place(),
      })
      expect(stream.status).toBe(200)
      return stream
    },
    had: (messages) => void seen.push(...messages),
    times: () => Array.from({ length: count }, (_, id) => seen.filter(({ message }) => message['id'] === id).length),
  }
}

function configAt(nats: string): object {
  const key = { hash: `sha256:${hash('sha256', token, 'hex')}`, tenants: [agency] }
  return {
    backends: { saas: demo({ saas: {} }) },
    tenants: { [agency]: { profile: 'saas', backends: ['saas'] } },
    auth: { apiKeys: { client: key } },
    fabric: {
      nats: { servers: [nats], cluster: randomBytes(8).toString('hex'), key: randomBytes(32).toString('base64') },
    },
  }
}

/** How streams are lost, and on which nodes they were. */
interface Loss {
  readonly name: string
  readonly visited: boolean
  /** Whether half of the calls run during the loss. A killed node keeps its jobs for longer than a test should wait. */
  readonly atWork: boolean
  readonly lose: (visited: NodeProcess) => Promise<unknown>
}

const losses: readonly Loss[] = [
  { name: 'its connection is lost', visited: false, atWork: true, lose: async () => {} },
  { name: 'its connection to a visited node is lost', visited: true, atWork: true, lose: async () => {} },
  {
    name: 'the visited node gets SIGTERM',
    visited: true,
    atWork: true,
    async lose({ process }) {
      const gone = once(process, 'exit')
      process.kill('SIGTERM')
      await gone
    },
  },
  { name: 'the visited node is killed', visited: true, atWork: false, lose: (visited) => visited.kill() },
]

const kinds = (['2024-11-05', '2025-03-26'] as const).flatMap((revision) => [
  { revision, hasCursor: true },
  { revision, hasCursor: false },
])

for (const { name, visited, atWork, lose } of losses) {
  natsTest(`when ${name} no answer is lost, and none comes twice to who has a cursor`, testLimit, async ({ nats }) => {
    const config = configAt(nats.url)
    const [home, other] = await Promise.all([startNodeProcess(config), startNodeProcess(config)])
    const before = atWork ? count / 2 : count
    const clients = await Promise.all(
      kinds.map(async ({ revision, hasCursor }) => {
        const client = await openClient(home.url, revision, hasCursor)
        const first = await client.listen(visited ? other.url : home.url)
        await client.ask(home.url, 0, before)
        await eventually(() => expect(first.received.length).toBe(before))
        // The other messages were on their way when the connection was lost.
        client.had(first.received.slice(0, 10))
        return { client, first, hasCursor }
      }),
    )
    const asked = clients.map(({ client }) => client.ask(home.url, before, count))
    await lose(other)
    for (const { first } of clients) first.drop()
    await Promise.all(asked)
    await Promise.all(
      clients.map(async ({ client, hasCursor }) => {
        const second = await client.listen(home.url)
        await eventually(() => expect(second.received.length).toBe(hasCursor ? count - 10 : count))
        client.had(second.received)
        second.drop()
        const times = client.times()
        expect(times.filter((n) => n === 0)).toEqual([])
        expect(Math.max(...times)).toBe(hasCursor ? 1 : 2)
      }),
    )
  })
}
