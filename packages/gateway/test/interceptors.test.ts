import type { TelemetryEvent } from '@junctor/contracts'
import type { Handler, Interceptor, Outcome } from '@junctor/exchange'
import { payloadOf, type Request } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import { expect, it } from 'vitest'
import { reasonOf } from '../src/shared/errors.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

// What a team adds that puts its own gateway together: code around every request of a tenant.

/** A gateway whose only tenant has these interceptors, and a client of it. */
async function start(interceptors: readonly Interceptor[]) {
  const backend = createTestBackend()
  const events: TelemetryEvent[] = []
  const emit = (event: TelemetryEvent): void => void events.push(event)
  const tenant = { ...tenantOf([backend.entry]), interceptors }
  const nodes = await startNodes([[tenant]], {}, undefined, () => emit)
  const front = nodes.gateways[0]?.front
  if (front === undefined) throw new Error('expected a gateway, got none')
  const client = await openClient(front, identityOf('ada'))
  const call = () => client.request(methods.toolsCall, { name: 'one__echo', arguments: {} }).answer()
  return { client, front, call, backend, events }
}

/** Notes what passes, on its way in and out. */
function noting(name: string, notes: string[]): Interceptor {
  return (next) => async (request, exchange) => {
    notes.push(`${name} ${request.method}`)
    const outcome = await next(request, exchange)
    notes.push(`${name} ${outcome.kind}`)
    return outcome
  }
}

it('the first of a tenant is the outermost, and each sees the request and its outcome', async () => {
  const notes: string[] = []
  const { call } = await start([noting('outer', notes), noting('inner', notes)])
  notes.length = 0
  expect(await call()).toHaveProperty('result')
  expect(notes).toEqual(['outer tools/call', 'inner tools/call', 'inner complete', 'outer complete'])
})

it('one that answers itself keeps the request from the backend, and is composed once', async () => {
  let composed = 0
  const refused: Outcome = { kind: 'error', error: { code: -32_000, message: 'not today', data: payloadOf({}) } }
  const refuses: Interceptor = (next) => {
    composed += 1
    const handler: Handler = (request, exchange) =>
      request.method === methods.toolsCall ? refused : next(request, exchange)
    return handler
  }
  const { call, client, backend } = await start([refuses])
  expect(await call()).toMatchObject({ error: { message: 'not today' } })
  expect(await call()).toMatchObject({ error: { message: 'not today' } })
  expect(await client.request(methods.toolsList, {}).answer()).toHaveProperty('result')
  expect(callsOf(backend)).toEqual([])
  expect(composed).toBe(1)
})

it.each([undefined, null, { kind: 'done' }, { content: [] }])('one that gives %j is reported', async (given) => {
  const odd: Interceptor = (next) => (request, exchange) =>
    request.method === methods.toolsCall ? (given as unknown as Outcome) : next(request, exchange)
  const { call, events } = await start([odd])
  expect(await call()).toMatchObject({ error: { code: -32_603 } })
  expect(events).toContainEqual({ kind: 'internal_error', where: 'request' })
})

it('a session that ends while one waits is not served any more', async () => {
  const gate = Promise.withResolvers<void>()
  const held = Promise.withResolvers<Outcome>()
  const waits: Interceptor = (next) => async (request, exchange) => {
    if (request.method !== methods.toolsCall) return next(request, exchange)
    await gate.promise
    const outcome = await next(request, exchange)
    held.resolve(outcome)
    return outcome
  }
  const { client, front, backend } = await start([waits])
  client.request(methods.toolsCall, { name: 'one__echo', arguments: {} })
  await front.end(client.session, 'session_ended')
  gate.resolve()
  expect(reasonOf(await held.promise)).toBe('session_unknown')
  expect(callsOf(backend)).toEqual([])
})

/** The calls of tools that have reached a backend. */
function callsOf({ links }: ReturnType<typeof createTestBackend>): readonly Request[] {
  return links.flatMap(({ requests }) => requests).filter(({ method }) => method === methods.toolsCall)
}
