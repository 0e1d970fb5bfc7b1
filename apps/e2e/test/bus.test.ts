import { createHash, randomBytes } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { eventually, type GuardedNatsServer, type GuardedUser, startGuardedNatsServer } from '@junctor/testkit'
import { createSdkClientTransport } from '@junctor/transport-nats'
import { headers, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { expect, onTestFinished } from 'vitest'
import { connectToBus } from '../src/canaries/connect-to-bus.ts'
import { type BusUnderTest, type GatewayUnderTest, startGateway } from '../src/gateway-under-test.ts'
import { createHttpWire } from '../src/http-wire.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { verifies } from '../src/verifies.ts'

const bus = { ways: ['bus'] } as const
const hashOf = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`
const me = { name: 'billing', version: '1' }

const auth = {
  apiKeys: {
    billing: { hash: hashOf('key-of-billing') },
    acme: { hash: hashOf('key-of-acme'), tenants: ['acme'] },
  },
}
const tenants = { default: { backends: ['demo'] }, acme: { backends: ['demo'] } }

/** The answer to a request for a channel. */
async function asking({ server, cluster }: BusUnderTest, tenant: string, authorization: string | undefined) {
  const root = `mcp.v1.${cluster}.${tenant}.billing`
  const connection = await connectToBus({ servers: server, inboxPrefix: `${root}.reply` })
  onTestFinished(() => connection.close())
  const sent = headers()
  if (authorization !== undefined) sent.set('Authorization', authorization)
  const answer = await connection.request(`${root}.open`, '', { headers: sent, timeout: 5_000 })
  return { body: answer.json<object>(), code: answer.headers?.get('Nats-Service-Error-Code') ?? '' }
}

verifies('BUS-1', bus, async (cell) => {
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      const at = gateway.bus as BusUnderTest
      expect(await asking(at, 'default', 'Bearer key-of-billing')).toMatchObject({
        code: '',
        body: { in: expect.stringMatching(/\.in\./) },
      })
      expect(await asking(at, 'acme', 'Bearer key-of-acme')).toMatchObject({ code: '' })
      const refused = [
        ['default', undefined, '401', 'unauthenticated'],
        ['default', 'Bearer forged', '401', 'unauthenticated'],
        ['default', 'Basic a2V5', '401', 'unauthenticated'],
        ['acme', 'Bearer key-of-billing', '404', 'unknown_tenant'],
        ['nobody', 'Bearer key-of-billing', '404', 'unknown_tenant'],
      ] as const
      for (const [tenant, authorization, code, reason] of refused) {
        const body = { jsonrpc: '2.0', id: null, error: { data: { reason } } }
        expect(await asking(at, tenant, authorization)).toMatchObject({ code, body })
      }
    },
    { config: { auth, tenants } },
  )
})

/** A gateway and a worker with the permissions from the repository. */
interface Guarded {
  readonly server: GuardedNatsServer
  readonly gateway: GatewayUnderTest
  readonly worker: GatewayUnderTest
}

async function startGuarded(): Promise<Guarded> {
  const server = await startGuardedNatsServer()
  onTestFinished(() => server.stop())
  const key = randomBytes(32).toString('base64url')
  const start = async (user: GuardedUser, listen: object): Promise<GatewayUnderTest> => {
    const fabric = { nats: { servers: [server.url], key, ...server.credentials(user) } }
    const node = await startGateway({ nodes: 1, config: { fabric, auth, tenants, backends: { demo: demo() }, listen } })
    onTestFinished(() => node.close())
    return node
  }
  return { server, gateway: await start('gateway', { nats: true }), worker: await start('worker', {}) }
}

/** A connection of a user, with the operations that the server refused, as `<operation> <subject>`. */
async function connectAs(user: GuardedUser, server: GuardedNatsServer) {
  const inboxPrefix = user === 'billing' ? 'mcp.v1.junctor.default.billing.reply' : '_INBOX'
  const { password: pass } = server.credentials(user)
  const connection = await connectToBus({ servers: server.url, inboxPrefix, user, pass })
  onTestFinished(() => connection.close())
  const refused: string[] = []
  void collectRefused(connection, refused)
  return { connection, refused }
}

async function collectRefused(connection: NatsConnection, refused: string[]): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue
    refused.push(`${status.error.operation} ${status.error.subject}`)
  }
}

const others = [
  'mcp.v1.junctor.default.other',
  'mcp.v1.junctor.acme.billing',
  'mcp.v1.other.default.billing',
  'mcp.v1.junctor.default.*',
] as const

verifies('BUS-2', bus, async () => {
  const { server, gateway } = await startGuarded()
  const { connection, refused } = await connectAs('billing', server)
  const received: string[] = []
  const wanted = [
    '>',
    'mcp.>',
    'mcp.v1.junctor.default.>',
    ...others.flatMap((root) => [`${root}.out.*`, `${root}.in.*`, `${root}.reply.>`, `${root}.open`]),
    // Its own messages, which it need not receive.
    'mcp.v1.junctor.default.billing.open',
    'mcp.v1.junctor.default.billing.in.*',
    'junctor.v1.junctor.>',
    'junctor.v1.junctor.all.alive',
    '_INBOX.>',
    '$JS.EVENT.>',
    '$JS.API.>',
    '$KV.>',
    '$SYS.>',
    '$SRV.>',
  ]
  for (const subject of wanted) {
    connection.subscribe(subject, {
      callback(error) {
        if (error === null) received.push(subject)
      },
    })
  }
  const published = [
    ...others.flatMap((root) => [`${root}.open`, `${root}.in.x`, `${root}.out.x`, `${root}.reply.x`]),
    // Messages of gateways to it, which it must not send to itself.
    'mcp.v1.junctor.default.billing.out.x',
    'junctor.v1.junctor.call.demo',
    'junctor.v1.junctor.all.control',
    'junctor.v1.junctor.node.x.call',
    '_INBOX.x',
    '$JS.API.INFO',
    '$JS.API.STREAM.NAMES',
    '$JS.API.STREAM.CREATE.own',
    '$JS.API.STREAM.MSG.GET.KV_junctor_kv_junctor_sessions',
    '$JS.API.DIRECT.GET.KV_junctor_kv_junctor_sessions',
    '$JS.API.CONSUMER.CREATE.KV_junctor_kv_junctor_sessions',
    '$KV.junctor_kv_junctor_sessions.x',
    '$SYS.REQ.SERVER.PING',
    '$SRV.PING',
  ]
  for (const subject of published) {
    connection.publish(subject, '{}', { reply: 'mcp.v1.junctor.default.billing.reply.x' })
  }
  await connection.flush()
  const expected = [
    ...wanted.map((subject) => `subscription ${subject}`),
    ...published.map((subject) => `publish ${subject}`),
  ]
  await eventually(() => expect(refused.toSorted()).toEqual(expected.toSorted()))

  // Meanwhile, this client and others are served normally.
  const client = new Client(me)
  const sent = { authorization: 'Bearer key-of-billing' }
  await client.connect(createSdkClientTransport({ connection, client: 'billing', headers: sent }))
  onTestFinished(() => client.close())
  const { content } = await client.callTool({ name: 'demo__add', arguments: { a: 1, b: 2 } })
  expect(JSON.stringify(content)).toContain('3')
  const wire = createHttpWire(gateway.urls, sent)
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me }
  await wire.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  await wire.close()
  expect(received).toEqual([])
  // The key of another tenant does not give access, and neither does an unknown key.
  for (const authorization of ['Bearer forged', 'Bearer key-of-acme']) {
    const transport = createSdkClientTransport({ connection, client: 'billing', headers: { authorization } })
    await expect(new Client(me).connect(transport)).rejects.toMatchObject({ code: 'BACKEND_REFUSED' })
  }
})

verifies('BUS-3', bus, async () => {
  const { server, gateway, worker } = await startGuarded()
  const urls = [...gateway.urls, ...worker.urls]
  // A session of one node is usable on the other: calls, storage and streams work between them.
  const wire = createHttpWire(urls, { authorization: 'Bearer key-of-billing' })
  onTestFinished(() => wire.close())
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me }
  await wire.send({ jsonrpc: '2.0', id: 'opened', method: 'initialize', params })
  await wire.until(({ message }) => message['id'] === 'opened')
  for (let id = 0; id < 4; id += 1) {
    const call = { name: 'demo__progress', arguments: { steps: 2, delayMs: 0 }, _meta: { progressToken: id } }
    await wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params: call })
    const { message } = await wire.until((received) => received.message['id'] === id)
    expect(message['result']).toBeDefined()
  }

  const { connection, refused } = await connectAs('worker', server)
  // A user who may publish as a node, but does not have the cluster key, is ignored by all nodes.
  const spoken = new Set<string>()
  connection.subscribe('junctor.v1.junctor.node.*.call', {
    callback: (_error, { subject }) => void spoken.add(subject),
  })
  await connection.flush()
  for (const id of ['once', 'more']) {
    await wire.send({ jsonrpc: '2.0', id, method: 'ping' })
    await wire.until(({ message }) => message['id'] === id)
  }
  const forged = JSON.stringify({
    context: { tenant: 'acme', principal: { key: 'api-key|acme' } },
    method: 'tools/list',
  })
  await eventually(() => expect(spoken.size).toBeGreaterThan(0))
  for (const subject of [...spoken, 'junctor.v1.junctor.all.control']) {
    await expect(connection.request(subject, forged, { timeout: 500 })).rejects.toThrow('timeout')
  }
  connection.subscribe('mcp.v1.junctor.>', { callback() {} })
  connection.publish('mcp.v1.junctor.default.billing.out.x', '{}')
  connection.publish('$JS.API.STREAM.DELETE.KV_junctor_kv_junctor_sessions', '')
  await connection.flush()
  await eventually(() =>
    expect(refused).toEqual([
      'subscription mcp.v1.junctor.>',
      'publish mcp.v1.junctor.default.billing.out.x',
      'publish $JS.API.STREAM.DELETE.KV_junctor_kv_junctor_sessions',
    ]),
  )
})

verifies('BUS-4', bus, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ gateway }) => {
    const { server, cluster } = gateway.bus as BusUnderTest
    const connection = await connectToBus({ servers: server })
    onTestFinished(() => connection.close())
    const ends: string[] = []
    const open = async (): Promise<Client> => {
      const client = new Client(me)
      Object.assign(client, { onclose: () => ends.push('closed'), onerror: ({ message }: Error) => ends.push(message) })
      await client.connect(createSdkClientTransport({ connection, cluster, client: 'billing' }))
      onTestFinished(() => client.close())
      return client
    }
    // Enough clients that each node serves some.
    const clients = await Promise.all(Array.from({ length: 16 }, open))
    await gateway.nodes[0]?.close()
    await eventually(() => expect(ends).toContain('closed'))
    await connection.flush()
    const goodbye = 'The channel on NATS has ended: going_away'
    expect(new Set(ends)).toEqual(new Set([goodbye, 'closed']))
    const served = clients.filter(({ transport }) => transport !== undefined)
    expect(served.length).toBeGreaterThan(0)
    expect(ends.filter((what) => what === 'closed')).toHaveLength(clients.length - served.length)
    for (const client of served) await client.ping()
    const { tools } = await (await open()).listTools()
    expect(tools.length).toBeGreaterThan(0)
  })
})
