import { afterEach, describe, expect, it } from 'vitest'
import type { Exchange, Outcome } from '@junctor/exchange'
import type { Front, Session } from '@junctor/contracts'
import type { JsonObject, Request } from '@junctor/jsonrpc'
import { parseFrame, payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import type { GatewayLimits } from '../src/shared/limits.ts'
import { createTestSink, post, three } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'
import type { TestNodes } from './support/test-nodes.ts'

let nodes: TestNodes | undefined

afterEach(async () => {
  await nodes?.close()
  nodes = undefined
})

const ada = identityOf('ada')
const eve = identityOf('eve')

/** Two nodes, and a session of JSON-RPC 3.0 at home on the first that has agreed on `async`. */
async function start(extensions: readonly string[] = ['async'], limits: Partial<GatewayLimits> = {}) {
  const backends = [createTestBackend(), createTestBackend()]
  let runs = 0
  const doing: { call: (exchange: Exchange) => Outcome | Promise<Outcome> } = {
    call: () => ({ kind: 'complete', result: payloadOf({ run: (runs += 1) }) }),
  }
  for (const { behaviour } of backends) behaviour.call = (_request, exchange) => doing.call(exchange)
  nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry])]),
    limits,
  )
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const params = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'c', version: '1' } }
  const opened = post(one, ada, undefined, three({ id: 0, method: 'initialize', params }))
  await opened.seen.whole()
  const { session } = opened.origin
  if (session === undefined) throw new Error('no session')
  await said(one, ada, session, three({ id: 0, method: 'rpc.extensions', params: { extensions } }))
  const visiting = (await two.session(session.id, ada)) as Session
  return { one, two, session, visiting, doing }
}

const call = (id: number, options: JsonObject, message = 'hello'): JsonObject =>
  three({ id, method: 'tools/call', params: { name: 'one__echo', arguments: { message } }, options })

interface Ack {
  readonly jobId: string
  readonly jobQ: { readonly url: string; readonly authToken: string; readonly ttl: string }
}

/** The job that a token is of. */
const jobOf = ({ authToken }: Ack['jobQ']): string => authToken.split('.').at(-1) ?? ''

async function said(front: Front, identity: typeof ada, session: Session | undefined, message: JsonObject) {
  const [answer] = await post(front, identity, session, message).seen.whole()
  return answer as JsonObject
}

/** What whoever shows a token and no credentials is answered, once all of it is there. */
async function tellsToken(front: Front, method: string, params: JsonObject): Promise<JsonObject> {
  const sink = createTestSink()
  const { message } = parseFrame(JSON.stringify(three({ id: 7, method, params }))) as { message: Request }
  expect(front.collect(message, { header: () => undefined }, ada.tenant.name, sink)).toBe(true)
  const [answer] = await sink.seen.whole()
  return answer as JsonObject
}

describe('a request with options.async', () => {
  it('is acknowledged with a job, which its principal collects from any node under the first id', async () => {
    const { one, two, session, visiting } = await start()
    const answer = await said(one, ada, session, call(1, { async: true }))
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
      const collected = await said(front, ada, at, three({ id: 7, method: 'job.result', params: { jobId } }))
      expect(collected).toEqual({ jsonrpc: '3.0', id: 1, result: { run: 1 } })
      const status = await said(front, ada, at, three({ id: 8, method: 'job.status', params: { jobId } }))
      expect(status).toMatchObject({ id: 8, result: { jobId, status: 'succeeded' } })
    }
  })

  it('is another principal’s only with its token', async () => {
    const { one, two, session } = await start()
    const answer = await said(one, ada, session, call(1, { async: true }))
    const { jobId, jobQ } = answer['ack'] as unknown as Ack
    const other = await said(one, ada, session, call(2, { async: true }))
    const { jobQ: otherQ } = other['ack'] as unknown as Ack
    const collect = (params: JsonObject): Promise<JsonObject> =>
      said(two, eve, undefined, three({ id: 7, method: 'job.result', params }))
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
    // It says which job it is of, and may say no more than that, as that of earlier versions.
    const { authToken } = jobQ
    expect(await collect({ authToken })).toMatchObject({ id: 1, result: {} })
    expect(await collect({ jobId, authToken: authToken.replace(/\.[^.]+$/, '') })).toMatchObject({ id: 1, result: {} })
    const elsewhere = identityOf('eve', 'other')
    const foreign = three({ id: 7, method: 'job.status', params: { jobId, authToken: jobQ.authToken } })
    expect(await said(two, elsewhere, undefined, foreign)).toHaveProperty('error')
  })

  it('is looked at with its token alone, at any node, until it is past its time', async () => {
    const { one, two, session, doing } = await start(['async'], { jobTtlMs: 1_000 })
    const asked = Promise.withResolvers<Exchange>()
    const finish = Promise.withResolvers<Outcome>()
    doing.call = (exchange) => {
      asked.resolve(exchange)
      return finish.promise
    }
    const { jobId, jobQ } = (await said(one, ada, session, call(1, { async: true })))['ack'] as unknown as Ack
    const { authToken } = jobQ
    const never = await tellsToken(two, 'job.result', { authToken: 'x' })
    expect(never).toMatchObject({ id: 7, error: { code: -32_004 } })
    const result = tellsToken(two, 'job.result', { authToken })
    // What a job asks its caller is not shown to whoever collects it.
    const question = (await asked.promise).ask({ method: 'roots/list', params: undefined })
    const status = { authToken, jobId }
    await eventually(async () => {
      const shown = await tellsToken(two, 'job.status', status)
      expect(shown).toMatchObject({ id: 7, result: { jobId, status: 'input_required' } })
    })
    finish.resolve({ kind: 'complete', result: payloadOf({ run: 1 }) })
    expect(await result).toEqual({ jsonrpc: '3.0', id: 1, result: { run: 1 } })
    await question
    await eventually(async () => expect(await tellsToken(two, 'job.result', { authToken })).toEqual(never))
    expect(await tellsToken(two, 'job.status', status)).toEqual(never)
  })

  it('is waited for, and cancelled', async () => {
    const { one, two, session, visiting, doing } = await start()
    doing.call = () => new Promise(() => {})
    const answer = await said(one, ada, session, call(1, { async: true }))
    const { jobId } = answer['ack'] as unknown as Ack
    const waiting = post(two, ada, visiting, three({ id: 7, method: 'job.result', params: { jobId } }))
    await eventually(async () => {
      const status = await said(two, ada, visiting, three({ id: 8, method: 'job.status', params: { jobId } }))
      expect(status).toMatchObject({ result: { status: 'running' } })
    })
    const cancelled = await said(two, ada, visiting, three({ id: 9, method: 'job.cancel', params: { jobId } }))
    expect(cancelled).toMatchObject({ id: 9, result: { jobId, status: 'cancelled' } })
    expect(await waiting.seen.whole()).toMatchObject([{ id: 1, error: { code: -32_800 } }])
  })

  it('shows how far it is, at any node, while it runs', async () => {
    const { one, two, session, visiting, doing } = await start(['async', 'progress'])
    const finish = Promise.withResolvers<Outcome>()
    const begun = Promise.withResolvers<Exchange>()
    doing.call = (exchange) => {
      begun.resolve(exchange)
      return finish.promise
    }
    const { jobId, jobQ } = (await said(one, ada, session, call(1, { async: true })))['ack'] as unknown as Ack
    const status = three({ id: 8, method: 'job.status', params: { jobId } })
    const exchange = await begun.promise
    expect(await said(two, ada, visiting, status)).not.toHaveProperty('result.progress')
    // What comes in one go ends with the last of it.
    for (let progress = 1; progress <= 10; progress += 1) exchange.progress({ progress, total: 20, message: 'x' })
    const shows = (far: object): Promise<void> =>
      eventually(async () => {
        for (const [front, at] of [
          [one, session],
          [two, visiting],
          [two, undefined],
        ] as const) {
          // oxlint-disable-next-line no-await-in-loop
          expect(await said(front, ada, at, status)).toMatchObject({ id: 8, result: { status: 'running', ...far } })
        }
      })
    await shows({ progress: 10, total: 20 })
    exchange.progress({ progress: 11 })
    await shows({ progress: 11 })
    const { authToken } = jobQ
    const byToken = await said(two, eve, undefined, three({ id: 9, method: 'job.status', params: { authToken } }))
    expect(byToken).toMatchObject({ result: { jobId, progress: 11 } })
    expect(byToken).not.toHaveProperty('result.total')
    exchange.progress({ progress: 12 })
    finish.resolve({ kind: 'complete', result: payloadOf({}) })
    const collect = three({ id: 7, method: 'job.result', params: { jobId } })
    expect(await said(two, ada, visiting, collect)).toMatchObject({ id: 1, result: {} })
    const over = await said(one, ada, session, status)
    expect(over).toMatchObject({ result: { status: 'succeeded' } })
    expect(over).not.toHaveProperty('result.progress')
  })

  it('is one job for all repeats of its key, and refuses another request under it', async () => {
    const { one, two, session, visiting } = await start()
    const options = { async: true, idempotencyKey: 'once' }
    const first = (await said(one, ada, session, call(1, options)))['ack'] as unknown as Ack
    const second = (await said(two, ada, visiting, call(2, options)))['ack'] as unknown as Ack
    expect(second.jobId).toBe(first.jobId)
    expect(await said(one, ada, session, call(3, options, 'other'))).toMatchObject({ id: 3, error: { code: -32_009 } })
    const { jobId } = first
    const collect = three({ id: 7, method: 'job.result', params: { jobId } })
    expect(await said(two, ada, visiting, collect)).toMatchObject({ id: 1, result: { run: 1 } })
    const third = (await said(two, ada, visiting, call(4, options)))['ack'] as unknown as Ack
    expect(third.jobId).toBe(jobId)
  })

  it('is answered where it came when that was not agreed on', async () => {
    const { one, session } = await start(['progress'])
    expect(await said(one, ada, session, call(1, { async: true }))).toEqual({
      jsonrpc: '3.0',
      id: 1,
      result: { run: 1 },
    })
  })

  it('is forgotten, and what it is repeated by, when later ones have taken its room', async () => {
    const { one, session } = await start(['async'], { jobsKeptOfPrincipal: 1 })
    const options = { async: true, idempotencyKey: 'once' }
    const first = (await said(one, ada, session, call(1, options)))['ack'] as unknown as Ack
    const status = three({ id: 7, method: 'job.status', params: { jobId: first.jobId } })
    await eventually(async () =>
      expect(await said(one, ada, session, status)).toMatchObject({ result: { status: 'succeeded' } }),
    )
    // Each node forgets what it has run itself.
    let id = 2
    await eventually(async () => {
      await said(one, ada, session, call((id += 1), { async: true }))
      expect(await said(one, ada, session, status)).toMatchObject({ error: { code: -32_004 } })
    })
    const again = (await said(one, ada, session, call(1, options)))['ack'] as unknown as Ack
    expect(again.jobId).not.toBe(first.jobId)
  })

  it('that nobody made is not found', async () => {
    const { one, session } = await start()
    for (const method of ['job.result', 'job.status', 'job.cancel']) {
      const unknown = three({ id: 7, method, params: { jobId: 'j_AAAAAAAAAAAAAAAAAAAAAA' } })
      expect(await said(one, ada, session, unknown)).toMatchObject({ id: 7, error: { code: -32_004 } })
      expect(await said(one, ada, session, three({ id: 7, method }))).toMatchObject({ error: { code: -32_602 } })
    }
  })
})
