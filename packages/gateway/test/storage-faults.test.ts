import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { type Front, type Session, silentLog } from '@junctor/contracts'
import { createMemoryFabric } from '@junctor/fabric'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { type Faults, full, refused, withFaults } from './support/faulty-storage.ts'
import { post, Seen } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf, type TestNodes } from './support/test-nodes.ts'

const ada = { ...identityOf(), principal: { issuer: 'api-key', subject: 'ada', key: 'api-key ada' } }
let faults: Faults
let nodes: TestNodes
let one: Front
let session: Session
/** The number of tool calls. */
let calls: number
/** Delays the answers of tools until it resolves. */
let gate: Promise<void> | undefined
/** How far the steady clock is moved ahead, in milliseconds. */
let ahead: number

beforeEach(async () => {
  faults = new Map()
  calls = 0
  gate = undefined
  ahead = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
  const { entry, behaviour } = createTestBackend()
  behaviour.list = async (kind) => (kind === 'tools' ? [payloadOf({ name: 'adds' })] : [])
  behaviour.call = async () => {
    calls += 1
    await gate
    return { kind: 'complete', result: payloadOf({ content: [{ type: 'text', text: 'done' }] }) }
  }
  nodes = await startNodes([[tenantOf([entry])]], { jobLeaseMs: 600 }, (fabric) => withFaults(fabric, faults))
  one = nodes.gateways.map(({ front }) => front)[0] as Front
  session = (await openClient(one, ada)).session
})

afterEach(() => {
  faults.clear()
  vi.restoreAllMocks()
})

const call = (id: number, more: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'one__adds', arguments: {}, ...more },
})
const keyed = (id: number): JsonObject => ({ ...call(id), jsonrpc: '3.0', options: { idempotencyKey: 'once' } })
const negotiation: JsonObject = { jsonrpc: '3.0', id: 'negotiates', method: 'rpc.extensions' }
const unsure = { error: { data: { reason: 'outcome_unknown', retryable: false } } }
const unavailable = { error: { data: { reason: 'fabric_unavailable', retryable: true } } }

/** The answer to a POST, with its status. */
async function ask(message: JsonObject, respondAsync = false): Promise<readonly [JsonObject | undefined, unknown]> {
  const sent = post(one, ada, session, message, respondAsync)
  const all = await sent.seen.whole()
  return [all.at(-1), sent.statuses.at(-1)]
}

/** All stored jobs, except marks of removed ones. */
async function jobs(): Promise<readonly JsonObject[]> {
  const spy = createMemoryFabric(nodes.bus)
  const store = spy.store<JsonObject>('jobs', 60_000)
  const keys = await store.keys('')
  const stored = await Promise.all(keys.map((key) => store.get(key)))
  await spy.close()
  return stored.flatMap((record) => (record === undefined || record.value['over'] === true ? [] : [record.value]))
}

/** Waits until the job has started, and lets nothing change it any more. */
async function startedAndStuck(): Promise<void> {
  await eventually(() => expect(calls).toBe(1))
  faults.set('jobs.put', refused)
}

async function states(): Promise<readonly unknown[]> {
  return (await jobs()).map(({ state }) => state)
}

describe('without storage', () => {
  beforeEach(() => {
    for (const name of ['sessions', 'jobs', 'passing', 'idempotency']) faults.set(name, refused)
  })

  it('no session can be opened, and the client of a failed attempt has none', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const sent = post(one, ada, undefined, { jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(await sent.seen.whole()).toMatchObject([{ id: 1, ...unavailable }])
    expect(sent.statuses).toEqual([503])
    expect(sent.origin.session).toBeUndefined()
  })

  it('direct requests of a session of this node still work', async () => {
    expect(await ask(call(1))).toMatchObject([{ result: { content: [{ text: 'done' }] } }, undefined])
  })

  it.each([
    ['an answer for later', call(1), true],
    ['a task', call(1, { task: {} }), false],
    ['a repeat', keyed(1), true],
    ['the list of tasks', { jsonrpc: '2.0', id: 1, method: 'tasks/list' }, false],
    ['a job', { jsonrpc: '3.0', id: 1, method: 'job.status', params: { jobId: 'j_1' } }, false],
    ['what a job came to', { jsonrpc: '3.0', id: 1, method: 'job.result', params: { jobId: 'j_1' } }, false],
  ] as const)('%s is refused, and may be retried', async (_what, message, respondAsync) => {
    const [answer, status] = await ask(message, respondAsync)
    expect(answer).toMatchObject(unavailable)
    expect(status).toBe(503)
    expect(calls).toBe(0)
  })
})

test('without storage, the log does not grow with each request that is refused', async () => {
  const logged = vi.spyOn(silentLog, 'error')
  faults.set('jobs', refused)
  await ask(call(1), true)
  await ask(call(2), true)
  expect(logged.mock.calls.filter(([message]) => message === 'a job could not be stored')).toHaveLength(1)
})

describe('a job that the queue did not acknowledge', () => {
  it('is refused and never run, when it can be removed', async () => {
    faults.set('jobs.push', refused)
    expect(await ask(call(1, { task: {} }))).toMatchObject([unavailable, 503])
    await eventually(async () => expect(await jobs()).toEqual([]))
    expect(calls).toBe(0)
  })

  it('was accepted, when a node has started it', async () => {
    gate = new Promise(() => {})
    faults.set('jobs.push', { done: true, meanwhile: () => eventually(() => expect(calls).toBe(1)) })
    expect(await ask(call(1, { task: {} }))).toMatchObject([{ result: { task: { status: 'working' } } }, undefined])
  })

  it('is not to be sent again when it cannot be removed, because another node may have started it', async () => {
    gate = new Promise(() => {})
    faults.set('jobs.push', { done: true, meanwhile: startedAndStuck })
    expect(await ask(call(1, { task: {} }))).toMatchObject([unsure, 200])
  })

  it('is not to be sent again either when its node stops trying to remove it, because it leaves', async () => {
    gate = new Promise(() => {})
    faults.set('jobs.push', {
      done: true,
      meanwhile: async () => {
        await startedAndStuck()
        void nodes.gateways[0]?.close()
      },
    })
    expect(await ask(call(1, { task: {} }))).toMatchObject([unsure, 200])
  })

  it('may be sent again when the storage is full: the job is not in the queue', async () => {
    faults.set('jobs.push', { ...full, meanwhile: () => void faults.set('jobs.put', full) })
    expect(await ask(call(1, { task: {} }))).toMatchObject([unavailable, 503])
    faults.clear()
    await eventually(async () => expect(await jobs()).toEqual([]))
    expect(calls).toBe(0)
  })

  it('is never run when it is removed later', async () => {
    faults.set('jobs.push', { done: true, meanwhile: () => void faults.set('jobs.put', refused) })
    expect(await ask(call(1, { task: {} }))).toMatchObject([unsure, 200])
    faults.clear()
    await eventually(async () => expect(await jobs()).toEqual([]))
    expect(await ask(call(2))).toMatchObject([{ result: { content: [{ text: 'done' }] } }, undefined])
    expect(calls).toBe(1)
  })
})

it('a job is removed with its key, also when the answer to the write that withdrew it was lost', async () => {
  faults.set('jobs.push', { done: false, meanwhile: () => void faults.set('jobs.put', { done: true }) })
  expect(await ask(keyed(1), true)).toMatchObject([unavailable, 503])
  faults.clear()
  await eventually(async () => expect(await ask(keyed(2), true)).toMatchObject([{ status: 'queued' }, 202]))
  await eventually(() => expect(calls).toBe(1))
})

describe('a repeat that was accepted', () => {
  /** The session's own stream. */
  const read = (): Seen => {
    const seen = new Seen()
    const send = (text: string): undefined => seen.add(text) as undefined
    one.resume(session, undefined, { owner: undefined, resumable: true, open() {}, send })
    return seen
  }
  const repeat = async (): Promise<void> => expect(await ask(keyed(2), true)).toMatchObject([{ status: 'queued' }, 202])

  it('gets an error when the job of the first request is withdrawn', async () => {
    const seen = read()
    faults.set('jobs.push', { done: false, meanwhile: repeat })
    expect(await ask(keyed(1), true)).toMatchObject([unavailable, 503])
    const error = { data: { reason: 'outcome_unknown' } }
    await eventually(() => expect(seen.all.find(({ id }) => id === 2)).toMatchObject({ error }))
    expect(calls).toBe(0)
  })

  it('is answered as soon as the result can be read', async () => {
    const opened = Promise.withResolvers<void>()
    gate = opened.promise
    const seen = read()
    expect(await ask(keyed(1), true)).toMatchObject([{ status: 'queued' }, 202])
    await eventually(() => expect(calls).toBe(1))
    let reads = 0
    vi.spyOn(faults, 'get').mockImplementation((name) =>
      name === 'jobs.get' && (reads += 1) > 1 ? refused : undefined,
    )
    await repeat()
    opened.resolve()
    await eventually(() => expect(reads).toBeGreaterThan(1))
    vi.restoreAllMocks()
    await eventually(() => expect(seen.all.find(({ id }) => id === 2)).toMatchObject({ result: {} }))
    expect(calls).toBe(1)
  })
})

it('a result that cannot be read does not say that its call did not run: its error has the id of the call', async () => {
  await ask({ ...negotiation, params: { extensions: ['async'] } })
  const [accepted] = await ask({ ...call(1), jsonrpc: '3.0', options: { async: true } })
  const jobId = (accepted?.['ack'] as JsonObject | undefined)?.['jobId']
  await eventually(async () => expect(await states()).toEqual(['succeeded']))
  let reads = 0
  vi.spyOn(faults, 'get').mockImplementation((name) => (name === 'jobs.get' && (reads += 1) > 1 ? refused : undefined))
  const collect = { jsonrpc: '3.0', id: 2, method: 'job.result', params: { jobId } } as JsonObject
  expect(await ask(collect)).toMatchObject([{ id: 1, ...unsure }, 200])
})

it('the key of a job that was not stored is free for the next request after a while', async () => {
  faults.set('jobs', refused)
  faults.set('idempotency.delete', refused)
  expect(await ask(keyed(1), true)).toMatchObject([unavailable, 503])
  faults.clear()
  expect(await ask(keyed(2), true)).toMatchObject([{ error: { data: { reason: 'overloaded', retryable: true } } }, 503])
  ahead = 60_000
  expect(await ask(keyed(3), true)).toMatchObject([{ status: 'queued' }, 202])
  await eventually(() => expect(calls).toBe(1))
  expect(await ask(keyed(4), true)).toMatchObject([{ status: 'queued' }, 202])
  await eventually(async () => expect(await states()).toEqual(['succeeded']))
  expect(calls).toBe(1)
})

it.each([true, false])('a result is stored as soon as possible; first write took effect: %j', async (done) => {
  const opened = Promise.withResolvers<void>()
  gate = opened.promise
  expect(await ask(call(1, { task: {} }))).toMatchObject([{ result: { task: { status: 'working' } } }, undefined])
  await eventually(() => expect(calls).toBe(1))
  const tried = Promise.withResolvers<void>()
  faults.set('jobs.put', { done, meanwhile: tried.resolve })
  faults.set('jobs.extend', refused)
  opened.resolve()
  await tried.promise
  expect(await states()).toEqual([done ? 'succeeded' : 'running'])
  faults.clear()
  await eventually(async () => expect(await states()).toEqual(['succeeded']))
  expect(calls).toBe(1)
})

test('a session that a negotiation opens is written once, and exists only when that succeeds', async () => {
  const open = (params: JsonObject) => post(one, ada, undefined, { ...negotiation, params })
  faults.set('sessions.get', refused)
  const opened = open({ extensions: ['progress'] })
  expect(await opened.seen.whole()).toMatchObject([{ result: { extensions: ['progress'] } }])
  expect(opened.origin.session).toBeDefined()
  const refusal = open({ extensions: 7 })
  expect(await refusal.seen.whole()).toMatchObject([{ error: { code: -32_602 } }])
  expect(refusal.origin.session).toBeUndefined()
})

test('a session that could not be stored is gone, whichever request has opened it', async () => {
  const [gateway] = nodes.gateways
  const before = gateway?.gauges().sessions
  faults.set('sessions', refused)
  for (const message of [
    { ...negotiation, params: {} },
    {
      jsonrpc: '2.0',
      id: 'initializes',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
  ]) {
    const { seen, origin } = post(one, ada, undefined, message)
    expect(await seen.whole()).toMatchObject([unavailable])
    expect(origin.session).toBeUndefined()
  }
  expect(gateway?.gauges().sessions).toEqual(before)
})
