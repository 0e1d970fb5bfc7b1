import { describe, expect, it } from 'vitest'
import type { Exchange, Outcome } from '@junctor/exchange'
import type { Front, Session } from '@junctor/contracts'
import { type JsonObject, parseFrame, payloadOf, type Request } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import type { GatewayLimits } from '../src/shared/limits.ts'
import { createTestSink, post, three } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const ada = identityOf('ada')
const eve = identityOf('eve')

/** Two nodes, and a session of JSON-RPC 3.0 that has negotiated `async` and whose home is the first node. */
async function start(extensions: readonly string[] = ['async'], limits: Partial<GatewayLimits> = {}) {
  const backends = [createTestBackend(), createTestBackend()]
  let runs = 0
  const doing: { call: (exchange: Exchange) => Outcome | Promise<Outcome> } = {
    call: () => ({ kind: 'complete', result: payloadOf({ run: (runs += 1) }) }),
  }
  for (const { behaviour } of backends) behaviour.call = (_request, exchange) => doing.call(exchange)
  const nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry])]),
    limits,
  )
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const params = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'c', version: '1' } }
  const opened = post(one, ada, undefined, three({ id: 0, method: 'initialize', params }))
  await opened.seen.whole()
  const { session } = opened.origin
  if (session === undefined) throw new Error('no session')
  await ask(one, ada, session, three({ id: 0, method: 'rpc.extensions', params: { extensions } }))
  const visiting = (await two.session(session.id, ada)) as Session
  return { one, two, session, visiting, doing }
}

const call = (id: number, options: JsonObject, message = 'hello'): JsonObject =>
  three({ id, method: 'tools/call', params: { name: 'one__echo', arguments: { message } }, options })

/** Opens a session that has negotiated `async`. */
async function openAs(identity: typeof ada, front: Front): Promise<Session> {
  const extensions = ['async']
  const opened = post(front, identity, undefined, three({ id: 0, method: 'rpc.extensions', params: { extensions } }))
  await opened.seen.whole()
  return opened.origin.session as Session
}

/** Makes calls wait until a gate opens. */
function hold(doing: { call: (exchange: Exchange) => Outcome | Promise<Outcome> }) {
  const gate = Promise.withResolvers<void>()
  const running: Exchange[] = []
  const { call: answer } = doing
  doing.call = async (exchange) => {
    running.push(exchange)
    await gate.promise
    return answer(exchange)
  }
  return { gate, running }
}

/** Sends a request that is to be answered on the stream of its session. */
async function submit(front: Front, session: Session, message: JsonObject): Promise<void> {
  expect(await post(front, ada, session, message, true).seen.whole()).toEqual([{ status: 'queued' }])
}

interface Ack {
  readonly jobId: string
  readonly jobQ: { readonly url: string; readonly authToken: string; readonly ttl: string }
}

/** The job id in a token. */
const jobOf = ({ authToken }: Ack['jobQ']): string => authToken.split('.').at(-1) ?? ''

async function ask(front: Front, identity: typeof ada, session: Session | undefined, message: JsonObject) {
  const [answer] = await post(front, identity, session, message).seen.whole()
  return answer as JsonObject
}

/** The complete answer for a caller with a token and no credentials. */
async function answerToToken(front: Front, method: string, params: JsonObject): Promise<JsonObject> {
  const sink = createTestSink()
  const { message } = parseFrame(JSON.stringify(three({ id: 7, method, params }))) as { message: Request }
  expect(front.collect(message, { header: () => undefined }, ada.tenant.name, sink)).toBe(true)
  const [answer] = await sink.seen.whole()
  return answer as JsonObject
}

describe('a request with options.async', () => {
  it('is acknowledged with a job, whose result its principal collects from any node under the first id', async () => {
    const { one, two, session, visiting } = await start()
    const answer = await ask(one, ada, session, call(1, { async: true }))
    expect(answer).toEqual({
      jsonrpc: '3.0',
      id: 1,
      ack: {
        jobId: expect.stringMatching(/^j_[\w-]{22}$/),
        jobQ: { url: '/mcp/default/jobs', authToken: expect.any(String), ttl: '36h' },
      },
    })
    const { jobId } = answer['ack'] as unknown as Ack
    const places = [
      [one, session],
      [two, visiting],
      [two, undefined],
    ] as const
    for (const [front, at] of places) {
      const collected = await ask(front, ada, at, three({ id: 7, method: 'job.result', params: { jobId } }))
      expect(collected).toEqual({ jsonrpc: '3.0', id: 1, result: { run: 1 } })
      const status = await ask(front, ada, at, three({ id: 8, method: 'job.status', params: { jobId } }))
      expect(status).toMatchObject({ id: 8, result: { jobId, status: 'succeeded' } })
    }
  })

  it('is accessible to another principal only with its token', async () => {
    const { one, two, session } = await start()
    const answer = await ask(one, ada, session, call(1, { async: true }))
    const { jobId, jobQ } = answer['ack'] as unknown as Ack
    const other = await ask(one, ada, session, call(2, { async: true }))
    const { jobQ: otherQ } = other['ack'] as unknown as Ack
    const collect = (params: JsonObject): Promise<JsonObject> =>
      ask(two, eve, undefined, three({ id: 7, method: 'job.result', params }))
    for (const authToken of [undefined, 'x', otherQ.authToken, `${jobQ.authToken}x`]) {
      const refused = await collect({ jobId, ...(authToken !== undefined && { authToken }) })
      expect(refused).toMatchObject({ id: 7, error: { code: -32_004 } })
    }
    for (const authToken of ['x', '', '.', `${jobQ.authToken}x`, jobQ.authToken.replace(/[^.]+$/, jobOf(otherQ))]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await collect({ authToken })).toMatchObject({ id: 7, error: { code: expect.any(Number) } })
    }
    expect(await collect({})).toMatchObject({ id: 7, error: { code: -32_602 } })
    expect(await collect({ jobId: null, authToken: 7 })).toMatchObject({ id: 7, error: { code: -32_602 } })
    expect(await collect({ jobId, authToken: jobQ.authToken })).toMatchObject({ id: 1, result: {} })
    // Tokens of earlier versions do not contain the id of the job.
    const { authToken } = jobQ
    expect(await collect({ authToken })).toMatchObject({ id: 1, result: {} })
    expect(await collect({ jobId, authToken: authToken.replace(/\.[^.]+$/, '') })).toMatchObject({ id: 1, result: {} })
    const elsewhere = identityOf('eve', 'other')
    const foreign = three({ id: 7, method: 'job.status', params: { jobId, authToken: jobQ.authToken } })
    expect(await ask(two, elsewhere, undefined, foreign)).toHaveProperty('error')
  })

  it('is readable with its token alone, on any node, until its time is over', async () => {
    const { one, two, session, doing } = await start(['async'], { jobTtlMs: 1_000 })
    const asked = Promise.withResolvers<Exchange>()
    const finish = Promise.withResolvers<Outcome>()
    doing.call = (exchange) => {
      asked.resolve(exchange)
      return finish.promise
    }
    const { jobId, jobQ } = (await ask(one, ada, session, call(1, { async: true })))['ack'] as unknown as Ack
    const { authToken } = jobQ
    const never = await answerToToken(two, 'job.result', { authToken: 'x' })
    expect(never).toMatchObject({ id: 7, error: { code: -32_004 } })
    const result = answerToToken(two, 'job.result', { authToken })
    // The questions of a job are not shown to a caller that only collects it.
    const question = (await asked.promise).ask({ method: 'roots/list', params: undefined })
    const status = { authToken, jobId }
    await eventually(async () => {
      const shown = await answerToToken(two, 'job.status', status)
      expect(shown).toMatchObject({ id: 7, result: { jobId, status: 'input_required' } })
    })
    finish.resolve({ kind: 'complete', result: payloadOf({ run: 1 }) })
    expect(await result).toEqual({ jsonrpc: '3.0', id: 1, result: { run: 1 } })
    await question
    await eventually(async () => expect(await answerToToken(two, 'job.result', { authToken })).toEqual(never))
    expect(await answerToToken(two, 'job.status', status)).toEqual(never)
  })

  it('can be awaited and cancelled', async () => {
    const { one, two, session, visiting, doing } = await start()
    doing.call = () => new Promise(() => {})
    const answer = await ask(one, ada, session, call(1, { async: true }))
    const { jobId } = answer['ack'] as unknown as Ack
    const waiting = post(two, ada, visiting, three({ id: 7, method: 'job.result', params: { jobId } }))
    await eventually(async () => {
      const status = await ask(two, ada, visiting, three({ id: 8, method: 'job.status', params: { jobId } }))
      expect(status).toMatchObject({ result: { status: 'running' } })
    })
    const cancelled = await ask(two, ada, visiting, three({ id: 9, method: 'job.cancel', params: { jobId } }))
    expect(cancelled).toMatchObject({ id: 9, result: { jobId, status: 'cancelled' } })
    expect(await waiting.seen.whole()).toMatchObject([{ id: 1, error: { code: -32_800 } }])
  })

  it('shows its progress on any node while it runs', async () => {
    const { one, two, session, visiting, doing } = await start(['async', 'progress'])
    const finish = Promise.withResolvers<Outcome>()
    const begun = Promise.withResolvers<Exchange>()
    doing.call = (exchange) => {
      begun.resolve(exchange)
      return finish.promise
    }
    const { jobId, jobQ } = (await ask(one, ada, session, call(1, { async: true })))['ack'] as unknown as Ack
    const status = three({ id: 8, method: 'job.status', params: { jobId } })
    const exchange = await begun.promise
    expect(await ask(two, ada, visiting, status)).not.toHaveProperty('result.progress')
    // Of several updates at the same time, the last one is shown.
    for (let progress = 1; progress <= 10; progress += 1) exchange.progress({ progress, total: 20, message: 'x' })
    const shows = (far: object): Promise<void> =>
      eventually(async () => {
        for (const [front, at] of [
          [one, session],
          [two, visiting],
          [two, undefined],
        ] as const) {
          // oxlint-disable-next-line no-await-in-loop
          expect(await ask(front, ada, at, status)).toMatchObject({ id: 8, result: { status: 'running', ...far } })
        }
      })
    await shows({ progress: 10, total: 20 })
    exchange.progress({ progress: 11 })
    await shows({ progress: 11 })
    const { authToken } = jobQ
    const byToken = await ask(two, eve, undefined, three({ id: 9, method: 'job.status', params: { authToken } }))
    expect(byToken).toMatchObject({ result: { jobId, progress: 11 } })
    expect(byToken).not.toHaveProperty('result.total')
    exchange.progress({ progress: 12 })
    finish.resolve({ kind: 'complete', result: payloadOf({}) })
    const collect = three({ id: 7, method: 'job.result', params: { jobId } })
    expect(await ask(two, ada, visiting, collect)).toMatchObject({ id: 1, result: {} })
    const over = await ask(one, ada, session, status)
    expect(over).toMatchObject({ result: { status: 'succeeded' } })
    expect(over).not.toHaveProperty('result.progress')
  })

  it('is one job for all repeats with its key, and refuses another request with that key', async () => {
    const { one, two, session, visiting } = await start()
    const options = { async: true, idempotencyKey: 'once' }
    const first = (await ask(one, ada, session, call(1, options)))['ack'] as unknown as Ack
    const second = (await ask(two, ada, visiting, call(2, options)))['ack'] as unknown as Ack
    expect(second.jobId).toBe(first.jobId)
    expect(await ask(one, ada, session, call(3, options, 'other'))).toMatchObject({ id: 3, error: { code: -32_009 } })
    const { jobId } = first
    const collect = three({ id: 7, method: 'job.result', params: { jobId } })
    expect(await ask(two, ada, visiting, collect)).toMatchObject({ id: 1, result: { run: 1 } })
    const third = (await ask(two, ada, visiting, call(4, options)))['ack'] as unknown as Ack
    expect(third.jobId).toBe(jobId)
  })

  it('is refused when its key is not a string: a repeat would run again', async () => {
    const { one, session } = await start()
    const asked = call(1, { async: true, idempotencyKey: 7 })
    const message = 'Expected options.idempotencyKey to be a string, got a number'
    expect(await ask(one, ada, session, asked)).toMatchObject({ id: 1, error: { code: -32_602, message } })
    expect(await ask(one, ada, session, call(2, { async: true, idempotencyKey: null }))).toHaveProperty('ack')
  })

  it('is collected as a job also when the first request with its key is answered on a stream', async () => {
    const { one, two, session, visiting } = await start()
    const options = { idempotencyKey: 'once' }
    await submit(one, session, call(1, options))
    const repeated = await ask(two, ada, visiting, call(2, { ...options, async: true }))
    const { jobId } = repeated['ack'] as unknown as Ack
    const collect = three({ id: 7, method: 'job.result', params: { jobId } })
    expect(await ask(two, ada, visiting, collect)).toMatchObject({ id: 1, result: { run: 1 } })
    const status = three({ id: 7, method: 'job.status', params: { jobId } })
    expect(await ask(one, ada, session, status)).toMatchObject({ result: { jobId, status: 'succeeded' } })
    const foreign = await openAs(eve, one)
    expect(await ask(one, eve, foreign, status)).toMatchObject({ error: { code: -32_004 } })
  })

  it('is sent again in a new session when that of the first request ended while it ran: its outcome is unknown', async () => {
    const { one, session, doing } = await start()
    const { running, gate } = hold(doing)
    await submit(one, session, call(1, { idempotencyKey: 'once' }))
    await eventually(() => expect(running).toHaveLength(1))
    await one.end(session, 'session_ended')
    gate.resolve()
    const next = await openAs(ada, one)
    const { ack } = await ask(one, ada, next, call(2, { idempotencyKey: 'once', async: true }))
    const { jobId } = ack as unknown as Ack
    const collect = three({ id: 7, method: 'job.result', params: { jobId } })
    expect(await ask(one, ada, next, collect)).toMatchObject({ id: 1, error: { data: { reason: 'outcome_unknown' } } })
  })

  it('is run when it is sent again in a new session, because that of the first request ended before it ran', async () => {
    const { one, session, doing } = await start(['async'], { jobsRunning: 1 })
    const { running, gate } = hold(doing)
    // Each of the two nodes runs one job: the next one waits.
    const busy = await openAs(ada, one)
    await submit(one, busy, call(1, {}))
    await submit(one, busy, call(2, {}))
    await eventually(() => expect(running).toHaveLength(2))
    await submit(one, session, call(3, { idempotencyKey: 'once' }))
    await one.end(session, 'session_ended')
    gate.resolve()
    const next = await openAs(ada, one)
    await eventually(async () => {
      const { ack } = await ask(one, ada, next, call(4, { idempotencyKey: 'once', async: true }))
      const { jobId } = ack as unknown as Ack
      const collect = three({ id: 7, method: 'job.result', params: { jobId } })
      expect(await ask(one, ada, next, collect)).toMatchObject({ id: 4, result: { run: 3 } })
    })
  })

  it('is answered directly when the extension was not negotiated', async () => {
    const { one, session } = await start(['progress'])
    expect(await ask(one, ada, session, call(1, { async: true }))).toEqual({
      jsonrpc: '3.0',
      id: 1,
      result: { run: 1 },
    })
  })

  it('is removed together with its key when later jobs have taken its room', async () => {
    const { one, session } = await start(['async'], { jobsKeptOfPrincipal: 1 })
    const options = { async: true, idempotencyKey: 'once' }
    const first = (await ask(one, ada, session, call(1, options)))['ack'] as unknown as Ack
    const status = three({ id: 7, method: 'job.status', params: { jobId: first.jobId } })
    await eventually(async () =>
      expect(await ask(one, ada, session, status)).toMatchObject({ result: { status: 'succeeded' } }),
    )
    // Each node removes the jobs that it has run itself.
    let id = 2
    await eventually(async () => {
      await ask(one, ada, session, call((id += 1), { async: true }))
      expect(await ask(one, ada, session, status)).toMatchObject({ error: { code: -32_004 } })
    })
    const again = (await ask(one, ada, session, call(1, options)))['ack'] as unknown as Ack
    expect(again.jobId).not.toBe(first.jobId)
  })

  it('with an unknown id is not found', async () => {
    const { one, session } = await start()
    for (const method of ['job.result', 'job.status', 'job.cancel']) {
      const unknown = three({ id: 7, method, params: { jobId: 'j_AAAAAAAAAAAAAAAAAAAAAA' } })
      expect(await ask(one, ada, session, unknown)).toMatchObject({ id: 7, error: { code: -32_004 } })
      expect(await ask(one, ada, session, three({ id: 7, method }))).toMatchObject({ error: { code: -32_602 } })
    }
  })
})
