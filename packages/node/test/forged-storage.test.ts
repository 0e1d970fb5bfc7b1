import { hashApiKey } from '@junctor/auth'
import { parseConfig } from '@junctor/config'
import { silentLog } from '@junctor/contracts'
import { connectNats, keyOfPath, subjectPath, subjectsOf } from '@junctor/nats'
import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { eventually, type NatsServer, replyIn, startNatsServer } from '@junctor/testkit'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { createNode, type JunctorNode } from '../src/index.ts'

// In these tests, an attacker has all NATS permissions of a node and knows this program, but has no key of the cluster.

const subjects = subjectsOf('junctor')
const ran = vi.fn<(who: string) => string>((who) => `ran for ${who}`)

const plugin = definePlugin({
  name: 'recorder',
  key: 'records',
  config: z.object({ records: z.string() }),
  create: (_config, { name, log }) =>
    createBackend({
      name,
      log,
      tools: [
        createTool({
          metadata: { name: 'run', description: 'Returns who it ran for', inputSchema: { type: 'object' } },
          handler: (_args, { exchange: { context } }) => ran(`${context.tenant} ${context.principal.key}`),
        }),
      ],
    }),
}) as unknown as Plugin

let server: NatsServer
let thief: NatsConnection
const nodes: JunctorNode[] = []

beforeAll(async () => {
  server = await startNatsServer()
  thief = await connectNats({ servers: [server.url] }, silentLog)
})

afterAll(async () => {
  await thief.close()
  await server.stop()
})

beforeEach(() => ran.mockClear())

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

const keys = { alice: 'a-key-of-alice-that-is-long-enough', mallory: 'a-key-of-mallory-that-is-long-enough' }

/** Starts a node, and returns a function that gives the address of one of its tenants. */
async function start(): Promise<(tenant: string) => string> {
  const file = {
    fabric: { nats: { servers: [server.url], key: 'k'.repeat(32) } },
    listen: { http: { port: 0 } },
    backends: { ours: { records: 'ours' }, theirs: { records: 'theirs' } },
    tenants: { red: { backends: ['ours'] }, blue: { backends: ['theirs'] } },
    auth: {
      apiKeys: {
        alice: { hash: hashApiKey(keys.alice), tenants: ['red', 'blue'] },
        mallory: { hash: hashApiKey(keys.mallory), tenants: ['red'] },
      },
    },
  }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [plugin], env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const node = await createNode({ config: parsed.config })
  nodes.push(node)
  const { http } = await node.listen()
  return (tenant) => `${http.url}/${tenant}`
}

function post(url: string, message: object, key: string, session?: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      connection: 'close',
      authorization: `Bearer ${key}`,
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
}

async function open(url: string, key: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const answer = await post(url, { id: 0, method: 'initialize', params }, key)
  await answer.text()
  return answer.headers.get('mcp-session-id') ?? ''
}

/** Stores a forged record, in the format of a node. */
async function forge(subject: string, data: string | Uint8Array): Promise<void> {
  const sent = headers()
  sent.set('Junctor-Expires', String(Date.now() + 600_000))
  sent.set('Junctor-Fields', JSON.stringify({ 'Junctor-Expires': String(Date.now() + 600_000) }))
  const answer = await thief.request(subject, data, { headers: sent, timeout: 5_000 })
  expect(answer.json()).toHaveProperty('seq')
}

/** Returns the last message of a subject from the server. */
async function stored(stream: string, subject: string): Promise<Uint8Array> {
  const asked = JSON.stringify({ last_by_subj: subject })
  const answer = await thief.request(`$JS.API.STREAM.MSG.GET.${stream}`, asked, { timeout: 5_000 })
  const { message } = answer.json<{ message: { data: string } }>()
  return Buffer.from(message.data, 'base64')
}

/** Returns the only subject of a bucket whose last part has this end. */
async function subjectOf(bucket: string, end: string): Promise<string> {
  const asked = JSON.stringify({ subjects_filter: '>' })
  const answer = await thief.request(`$JS.API.STREAM.INFO.KV_${bucket}`, asked, { timeout: 5_000 })
  const { state } = answer.json<{ state: { subjects?: Record<string, number> } }>()
  const found = Object.keys(state.subjects ?? {}).filter((subject) => subject.endsWith(end))
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

/** Waits until the queue is empty: all items are done or refused. */
async function queueIsEmpty(): Promise<void> {
  await eventually(async () => {
    const info = await thief.request(`$JS.API.STREAM.INFO.${subjects.stream('queue', 'jobs')}`)
    expect(info.json<{ state: { messages: number } }>().state.messages).toBe(0)
  }, 10_000)
}

const ping = { id: 1, method: 'ping' }

function principalOf(subject: string): { readonly issuer: string; readonly subject: string; readonly key: string } {
  return { issuer: 'api-key', subject, key: JSON.stringify(['api-key', subject]) }
}

/** Returns a forged session record for this principal. */
function sessionOf(home: string, principal: string): string {
  const info = { name: 'c', version: '1' }
  return JSON.stringify({
    home,
    tenant: 'red',
    principal,
    revision: '2025-11-25',
    info,
    capabilities: {},
    extensions: {},
  })
}

test('the principal of a session cannot be rewritten', async () => {
  const [home, other] = [await start(), await start()]
  const session = await open(home('red'), keys.alice)
  const bucket = subjects.bucket('sessions')
  const subject = await subjectOf(bucket, session)
  const record = await stored(`KV_${bucket}`, subject)
  const info = await thief.request('$JS.API.STREAM.INFO.KV_' + subjects.bucket('health'), '{"subjects_filter":">"}')
  const { state } = info.json<{ state: { subjects: Record<string, number> } }>()
  expect((await post(other('red'), ping, keys.mallory, session)).status).toBe(404)
  // One of the nodes is the home node of the session.
  for (const name of Object.keys(state.subjects)) {
    const node = name.slice(name.lastIndexOf('.') + 1)
    await forge(subject, sessionOf(node, principalOf('mallory').key))
    expect((await post(other('red'), ping, keys.mallory, session)).status).toBe(404)
  }
  // Copies the record of mallory's session to the place of alice's.
  const own = await open(home('red'), keys.mallory)
  await forge(subject, await stored(`KV_${bucket}`, await subjectOf(bucket, own)))
  expect((await post(other('red'), ping, keys.mallory, session)).status).toBe(404)
  expect(Buffer.from(record).toString()).not.toContain('alice')
})

test('a job that no node has stored runs nothing', async () => {
  const node = await start()
  const alice = await open(node('blue'), keys.alice)
  const request = { id: 1, method: 'tools/call', params: { name: 'theirs__run', arguments: {}, task: {} } }
  const answer = await post(node('blue'), request, keys.alice, alice)
  const answered = replyIn(await answer.text()) as unknown as { result: { task: { taskId: string } } }
  expect(answered).toHaveProperty('result.task.taskId')
  const { result } = answered
  await eventually(() => expect(ran).toHaveBeenCalledTimes(1))
  expect(ran).toHaveBeenCalledWith(`blue ${principalOf('alice').key}`)
  // The job has ended and is stored: forging during its run would be an attack on the job, not on its storage.
  await queueIsEmpty()
  const bucket = subjects.bucket('jobs')
  const subject = await subjectOf(bucket, result.task.taskId.replace(/^[a-z]_/, ''))
  const key = subject.slice(`$KV.${bucket}.`.length)
  const record = await stored(`KV_${bucket}`, subject)
  // Forges the same job, as if it had not run: under its own key and under a new one.
  const [owner = '', id = ''] = keyOfPath(key).split('.')
  for (const name of [id, 'j_forged0000000000000000']) {
    const forged = {
      id: name,
      owner,
      kind: 'async',
      tenant: 'blue',
      principal: principalOf('alice'),
      home: 'nowhere0',
      from: 'nowhere0',
      revision: '2025-11-25',
      client: { info: {}, capabilities: {} },
      request: {
        id: '9',
        dialect: '2.0',
        method: 'tools/call',
        params: JSON.stringify({ name: 'theirs__run', arguments: {} }),
      },
      state: 'queued',
      fence: 0,
      attempt: 0,
      emitted: false,
      createdAt: Date.now(),
      updatedAt: Date.now(),
      ttlMs: 600_000,
    }
    const at = `${owner}.${name}`
    await forge(`$KV.${bucket}.${subjectPath(at)}`, JSON.stringify(forged))
    await forge(subjects.item('jobs', at), JSON.stringify(at))
  }
  // Jobs are taken in order, so the forged ones were taken before this one.
  await (await post(node('blue'), { ...request, id: 2 }, keys.alice, alice)).text()
  await eventually(() => expect(ran).toHaveBeenCalledTimes(2), 10_000)
  await queueIsEmpty()
  expect(ran).toHaveBeenCalledTimes(2)
  expect(Buffer.from(record).toString()).not.toContain('blue')
})
