import type { Exchange, Handler, Host, Outcome } from '@junctor/exchange'
import { type JsonObject, payloadOf, type Request } from '@junctor/jsonrpc'
import { createRequest, recordExchange, type RecordedExchange } from '@junctor/testkit'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { ParkedRequests } from './parked-requests.ts'

const params = { name: 'book', arguments: { seat: 1 } }
const request = createRequest('tools/call', params)

/** Asks once, and answers with the answer. */
const asksOnce: Handler = async (_request, exchange) => {
  const answer = await exchange.ask({ method: 'roots/list', params: undefined })
  return 'result' in answer ? { kind: 'complete', result: answer.result } : { kind: 'error', error: answer.error }
}

function setUp(answer: Handler = asksOnce) {
  const clock = createManualClock()
  let ids = 0
  const ended: string[] = []
  const host: Host = {
    nextId: () => `testnode-${++ids}`,
    now: clock.now,
    asked() {},
    answered() {},
    closed: ({ id, ended: why }) => void ended.push(`${id} ${why ?? 'answered'}`),
  }
  const parked = new ParkedRequests({
    node: 'testnode',
    host,
    clock,
    answer,
    askTimeoutMs: 60_000,
    longestCallMs: () => 60_000,
  })
  return { parked, clock, ended }
}

function exchangeOf(subject = 'ada', issuer = 'keys'): RecordedExchange {
  const principal = { issuer, subject, key: `${issuer}|${subject}` }
  const { context } = recordExchange().exchange
  return recordExchange({ init: { context: { ...context, session: undefined, revision: '2026-07-28', principal } } })
}

type Asked = Extract<Outcome, { kind: 'input_required' }> & { readonly state: string }

async function asked(parked: ParkedRequests, exchange: Exchange = exchangeOf().exchange): Promise<Asked> {
  const outcome = await parked.start(request, exchange)
  if (outcome.kind !== 'input_required' || outcome.state === undefined) throw new Error(`got ${outcome.kind}`)
  return { ...outcome, state: outcome.state }
}

function answersTo({ requests }: Asked): Record<string, JsonObject> {
  return Object.fromEntries(Object.keys(requests).map((id) => [id, { roots: [] }]))
}

const resultOf = (outcome: Outcome) => (outcome.kind === 'complete' ? outcome.result.value() : outcome.kind)

describe('ParkedRequests', () => {
  it('continues a request with the answers of its client', async () => {
    const { parked } = setUp()
    const first = await asked(parked)
    expect(Object.values(first.requests)).toEqual([{ method: 'roots/list', params: undefined }])
    const outcome = await parked.resume(first.state, answersTo(first), request, exchangeOf().exchange)
    expect(resultOf(outcome)).toEqual({ roots: [] })
  })

  it.each([
    ['another principal', (state: string) => [state, request, exchangeOf('eve')] as const],
    [
      'another request',
      (state: string) => [state, createRequest('tools/call', { name: 'book' }), exchangeOf()] as const,
    ],
    ['another method', (state: string) => [state, createRequest('prompts/get', params), exchangeOf()] as const],
    ['another state', (state: string) => [`${state}x`, request, exchangeOf()] as const],
  ])('does not continue it for %s, and says the same each time', async (_, changed) => {
    const { parked } = setUp()
    const first = await asked(parked)
    const [state, sent, { exchange }] = changed(first.state)
    const outcome = await parked.resume(state, answersTo(first), sent, exchange)
    expect(outcome).toMatchObject({ kind: 'error', error: { code: -32_602 } })
    // The state still works where it belongs.
    expect(resultOf(await parked.resume(first.state, answersTo(first), request, exchangeOf().exchange))).toEqual({
      roots: [],
    })
  })

  it('gives the same answer to the same retry for a minute, and no other one', async () => {
    const { parked, clock } = setUp()
    const first = await asked(parked)
    const retry = () => parked.resume(first.state, answersTo(first), request, exchangeOf().exchange)
    const outcome = await retry()
    expect(await retry()).toBe(outcome)
    expect((await parked.resume(first.state, {}, request, exchangeOf().exchange)).kind).toBe('error')
    clock.advance(60_001)
    expect((await retry()).kind).toBe('error')
    expect(parked.size).toBe(0)
  })

  it('ends a request that nobody continues', async () => {
    const { parked, clock, ended } = setUp()
    const first = await asked(parked)
    clock.advance(120_001)
    expect(ended).toEqual(['testnode-1 deadline'])
    expect((await parked.resume(first.state, answersTo(first), request, exchangeOf().exchange)).kind).toBe('error')
    expect(parked.size).toBe(0)
  })

  it('waits as long as the backend lets its client take', async () => {
    const { parked, clock } = setUp(async (_request, exchange) => {
      const answer = await exchange.ask({ method: 'roots/list', params: undefined }, { timeoutMs: 600_000 })
      return 'result' in answer ? { kind: 'complete', result: answer.result } : { kind: 'error', error: answer.error }
    })
    const first = await asked(parked)
    clock.advance(599_000)
    expect(resultOf(await parked.resume(first.state, answersTo(first), request, exchangeOf().exchange))).toEqual({
      roots: [],
    })
  })

  it('ends a request whose client leaves in a round, and one of a node that leaves', async () => {
    const { parked, ended } = setUp(() => new Promise(() => {}))
    const { exchange } = exchangeOf()
    const running = parked.start(request, exchange)
    exchange.end('disconnected')
    expect((await running).kind).toBe('error')
    expect(ended).toEqual(['testnode-1 disconnected'])
    const second = setUp()
    await asked(second.parked)
    second.parked.close()
    expect(second.ended).toEqual(['testnode-1 shutdown'])
  })

  it('says to a client that left in a round, and sends it again, that its request was cancelled', async () => {
    const { parked } = setUp(async (_request, exchange) => {
      await asksOnce(_request, exchange)
      return new Promise(() => {})
    })
    const first = await asked(parked)
    const { exchange } = exchangeOf()
    const left = parked.resume(first.state, answersTo(first), request, exchange)
    exchange.end('disconnected')
    await left
    const again = await parked.resume(first.state, answersTo(first), request, exchangeOf().exchange)
    expect(again).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('The client left') } })
  })

  it('does not hold more requests of a principal than it may have, and others are not affected', async () => {
    const { parked, ended } = setUp()
    await Promise.all(Array.from({ length: 64 }, () => asked(parked)))
    const more = await parked.start(request, exchangeOf().exchange)
    expect(more).toMatchObject({ kind: 'error', error: { data: expect.anything() } })
    expect(ended).toEqual([expect.stringMatching(/ cancelled$/)])
    expect((await parked.start(request, exchangeOf('eve').exchange)).kind).toBe('input_required')
  })

  it('counts callers without credentials as many principals', async () => {
    const { parked } = setUp()
    const nobody = () => exchangeOf('local', 'local').exchange
    await Promise.all(Array.from({ length: 65 }, () => asked(parked, nobody())))
    expect(parked.waiting).toBe(65)
  })

  it('holds few large requests of a principal, and few with large questions', async () => {
    const text = 'x'.repeat(4 * 1024 * 1024)
    const large = createRequest('tools/call', { name: 'book', arguments: { seat: text } })
    const { parked } = setUp()
    const kindOf = async (sent: Request) => (await parked.start(sent, exchangeOf().exchange)).kind
    const kinds = [
      await kindOf(large),
      await kindOf(large),
      await kindOf(large),
      await kindOf(large),
      await kindOf(large),
    ]
    expect(kinds.map((kind) => kind === 'input_required')).toEqual([true, true, true, true, false])
    expect(await kindOf(request)).toBe('input_required')
    const { parked: asking } = setUp(async (_request, exchange) => {
      await exchange.ask({ method: 'elicitation/create', params: payloadOf({ message: text }) })
      return { kind: 'complete', result: payloadOf({}) }
    })
    const asks = await Promise.all(Array.from({ length: 5 }, () => asking.start(request, exchangeOf().exchange)))
    expect(asks.filter(({ kind }) => kind === 'input_required')).toHaveLength(4)
  })

  it('does not take the end of a handler that throws for an answer', async () => {
    const { parked } = setUp(() => Promise.reject(new Error('boom')))
    expect(await parked.start(request, exchangeOf().exchange)).toMatchObject({
      kind: 'error',
      error: { code: -32_603 },
    })
  })
})

it('keeps what a backend sends between two rounds', async () => {
  const shown = Promise.withResolvers<void>()
  const { parked } = setUp(async (_request, exchange) => {
    const answering = exchange.ask({ method: 'roots/list', params: undefined })
    await shown.promise
    exchange.notify({ method: 'notifications/message', params: payloadOf({ level: 'info', data: 'between' }) })
    await answering
    return { kind: 'complete', result: payloadOf({}) }
  })
  const first = await asked(parked)
  shown.resolve()
  await new Promise(setImmediate)
  const later = exchangeOf()
  await parked.resume(first.state, answersTo(first), request, later.exchange)
  expect(later.events).toMatchObject([{ kind: 'notification', notification: { method: 'notifications/message' } }])
})

it('counts what waits, and forgets the oldest outcomes first, so that many calls do not fill a node', async () => {
  const { parked } = setUp()
  const first = await asked(parked)
  expect(parked.waiting).toBe(1)
  const retry = () => parked.resume(first.state, answersTo(first), request, exchangeOf().exchange)
  expect((await retry()).kind).toBe('complete')
  expect(parked.waiting).toBe(0)
  const call = async (): Promise<string> => {
    const next = await asked(parked)
    return (await parked.resume(next.state, answersTo(next), request, exchangeOf().exchange)).kind
  }
  // Many at once, because each waits 5 ms for more questions.
  for (let round = 0; round < 64; round += 1) {
    const kinds = await Promise.all(Array.from({ length: 64 }, call))
    expect(kinds.filter((kind) => kind !== 'complete')).toEqual([])
  }
  expect([parked.waiting, parked.size]).toEqual([0, 4_096])
  // The first is forgotten: its client starts again.
  expect((await retry()).kind).toBe('error')
})

it('keeps few large questions and errors of ended rounds as well', async () => {
  const text = 'x'.repeat(12 * 1024 * 1024)
  const { parked } = setUp(async (_request, exchange) => {
    const answer = await exchange.ask({ method: 'roots/list', params: undefined })
    const wantsError = 'result' in answer && JSON.stringify(answer.result.value()).includes('error')
    if (wantsError) return { kind: 'error', error: { code: -32_000, message: 'no', data: payloadOf({ text }) } }
    await exchange.ask({ method: 'elicitation/create', params: payloadOf({ message: text }) })
    return { kind: 'complete', result: payloadOf({}) }
  })
  const round = async (name: string) => {
    const one = await asked(parked)
    const answers = Object.fromEntries(Object.keys(one.requests).map((id) => [id, { roots: [{ name }] }]))
    const retry = (): Promise<Outcome> => parked.resume(one.state, answers, request, exchangeOf().exchange)
    await retry()
    return retry
  }
  const [first, second, third] = [await round('error'), await round('question'), await round('error')]
  expect(await first()).toMatchObject({ kind: 'error', error: { code: -32_602 } })
  expect((await second()).kind).toBe('input_required')
  expect(await third()).toMatchObject({ kind: 'error', error: { code: -32_000 } })
})

it('keeps few large outcomes, so that they do not fill a node either', async () => {
  const { parked } = setUp(async (_request, exchange) => {
    await exchange.ask({ method: 'roots/list', params: undefined })
    return { kind: 'complete', result: payloadOf({ text: 'x'.repeat(12 * 1024 * 1024) }) }
  })
  const round = async () => {
    const one = await asked(parked)
    const retry = (): Promise<Outcome> => parked.resume(one.state, answersTo(one), request, exchangeOf().exchange)
    await retry()
    return retry
  }
  const [first, second, third] = [await round(), await round(), await round()]
  const kinds = [await first(), await second(), await third()].map(({ kind }) => kind)
  expect(kinds).toEqual(['error', 'complete', 'complete'])
})
