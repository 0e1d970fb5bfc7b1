import { payloadOf } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'
import { describe, expect, test, vi } from 'vitest'
import { RecordingOutlet } from '../test/recording-outlet.ts'
import { completed, sampleContext, sampleExchange, SampleHost, sampleRequest } from '../test/samples.ts'
import type { ExchangeEvent } from './event.ts'
import type { EndListener } from './exchange.ts'
import type { EndReason } from './outcome.ts'

const question: ClientRequest = { method: 'roots/list', params: undefined }

class CountingListener implements EndListener {
  readonly reasons: EndReason[] = []
  readonly #then: () => void

  constructor(then: () => void = () => {}) {
    this.#then = then
  }

  ended(reason: EndReason): void {
    this.reasons.push(reason)
    this.#then()
  }
}

function attached(options: ConstructorParameters<typeof RecordingOutlet>[0] = {}) {
  const host = new SampleHost()
  const outlet = new RecordingOutlet(options)
  const exchange = sampleExchange(host)
  exchange.attach(outlet)
  return { host, outlet, exchange }
}

test('has the data it was created from', () => {
  const exchange = sampleExchange(new SampleHost(), {
    attempt: 2,
    request: { ...sampleRequest, options: payloadOf({ async: {} }) },
  })
  expect(exchange).toMatchObject({ id: 'node-x', attempt: 2, deadline: 31_000, wantsProgress: false, closed: false })
  expect(exchange.context).toBe(sampleContext)
  expect(exchange.options).toEqual({ async: {} })
})

test('writes events immediately, and the outcome in the same turn', () => {
  const { exchange, outlet, host } = attached()
  exchange.ack()
  exchange.progress({ progress: 1 })
  void exchange.chunk('piece')
  exchange.notify({ method: 'notifications/message', params: undefined })
  exchange.settle(completed)
  expect(outlet.kinds).toEqual(['ack', 'progress', 'chunk', 'notification', 'outcome'])
  expect(exchange.closed).toBe(true)
  expect(host.closes).toEqual([exchange])
})

test('a producer that does not wait for its reader is stopped, and its request fails', async () => {
  const { exchange, outlet, host } = attached({ slow: true })
  const listener = new CountingListener()
  exchange.onEnd(listener)
  const { signal } = exchange
  for (let n = 0; n < 5_000; n += 1) void exchange.chunk(n)
  expect(listener.reasons).toEqual(['cancelled'])
  expect(signal.reason).toBe('cancelled')
  expect(exchange.closed).toBe(true)
  exchange.settle(completed)
  // The chunks that were accepted come in order, and then the error.
  expect(outlet.events.slice(0, -1)).toEqual(Array.from({ length: 1_026 }, (_, n) => ({ kind: 'chunk', data: n })))
  expect(outlet.events.at(-1)).toMatchObject({ outcome: { kind: 'error', error: { code: -32_600 } } })
  expect(host.closes).toEqual([exchange])
})

test.each([
  ['not a number', NaN],
  ['endless', Infinity],
  ['lower than before', 1],
  ['the same as before', 2],
])('drops progress that is %s', (_name, progress) => {
  const { exchange, outlet } = attached()
  exchange.progress({ progress: 2 })
  exchange.progress({ progress })
  expect(outlet.events).toEqual([{ kind: 'progress', progress: { progress: 2 } }])
})

describe('asks', () => {
  test('the answer reaches the asker and is reported to the host', async () => {
    const { exchange, outlet, host } = attached()
    const answer = exchange.ask(question, { timeoutMs: 5 })
    expect(host.asks.get('node-1')).toEqual({ exchange, options: { timeoutMs: 5 } })
    expect(outlet.events).toEqual([{ kind: 'ask', id: 'node-1', request: question, options: { timeoutMs: 5 } }])
    exchange.answer('node-1', { result: payloadOf({ roots: [] }) })
    exchange.answer('node-1', { result: payloadOf('again') })
    exchange.answer('node-unknown', { result: payloadOf('unknown') })
    expect(await answer).toMatchObject({ result: { text: undefined } })
    expect(host.answers).toHaveLength(1)
    expect(outlet.kinds).toEqual(['ask'])
  })

  test('one that times out is withdrawn from the client', async () => {
    const { exchange, outlet } = attached()
    const answer = exchange.ask(question)
    const late = { error: { code: -32000, message: 'late' } }
    exchange.answer('node-1', late, 'it took too long')
    expect(await answer).toBe(late)
    expect(outlet.events.at(-1)).toEqual({ kind: 'withdrawn', id: 'node-1', reason: 'it took too long' })
  })

  test('the deadline is postponed while one is open', () => {
    const { exchange, host } = attached()
    void exchange.ask(question)
    host.time += 300
    void exchange.ask(question)
    host.time += 200
    expect(exchange.deadline).toBe(31_500)
    exchange.answer('node-1', { result: payloadOf(1) })
    host.time += 100
    exchange.answer('node-2', { result: payloadOf(1) })
    host.time += 10_000
    expect(exchange.deadline).toBe(31_600)
  })

  test.each([
    ['withdrawn before it is sent', AbortSignal.abort(), undefined, -32000],
    ['for a client that cannot be asked', undefined, { view: { asks: 'none' as const } }, -32601],
  ])('one that is %s is answered with an error and never shown', async (_name, signal, options, code) => {
    const { exchange, outlet, host } = attached(options)
    const answer = exchange.ask(question, signal === undefined ? {} : { signal })
    expect(await answer).toMatchObject({ error: { code } })
    expect(outlet.kinds).toEqual([])
    expect(host.asks.size).toBe(0)
  })

  test('one on a closed exchange is answered with an error', async () => {
    const { exchange } = attached()
    exchange.settle(completed)
    expect(await exchange.ask(question)).toMatchObject({ error: { code: -32000 } })
  })

  test('one that the host refuses immediately is never shown', async () => {
    const { exchange, outlet, host } = attached()
    const refusal = { error: { code: -32000, message: 'too many' } }
    host.asked = (id, asked) => asked.answer(id, refusal)
    expect(await exchange.ask(question)).toBe(refusal)
    expect(outlet.kinds).toEqual([])
  })

  test('leaves no listener on the asker’s signal', () => {
    const { exchange } = attached()
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    const added = vi.spyOn(signal, 'addEventListener')
    void exchange.ask(question, { signal })
    exchange.settle(completed)
    expect(removed.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      added.mock.calls.map(([type, listener]) => [type, listener]),
    )
    expect(added).toHaveBeenCalledTimes(1)
  })

  test('a guessed one that the client has seen outlives the exchange', async () => {
    const { exchange, outlet, host } = attached()
    const answer = exchange.ask(question, { guessed: true })
    exchange.end('cancelled')
    expect(outlet.kinds).toEqual(['ask', 'end'])
    expect(host.asks.size).toBe(1)
    exchange.answer('node-1', { result: payloadOf('after all') })
    expect(await answer).toHaveProperty('result')
  })

  test('a guessed one that no client has seen ends with the exchange', async () => {
    const exchange = sampleExchange(new SampleHost())
    const answer = exchange.ask(question, { guessed: true })
    exchange.end('deadline')
    expect(await answer).toMatchObject({ error: { code: -32000 } })
  })
})

describe('while detached', () => {
  test('the outcome is kept for the next outlet', () => {
    const host = new SampleHost()
    const exchange = sampleExchange(host)
    exchange.notify({ method: 'notifications/message', params: undefined })
    exchange.settle(completed)
    expect([exchange.closed, host.closes]).toEqual([true, []])
    const outlet = new RecordingOutlet()
    exchange.attach(outlet)
    expect(outlet.kinds).toEqual(['notification', 'outcome'])
    expect(host.closes).toEqual([exchange])
  })

  test('an end replaces a waiting outcome, and is kept itself', () => {
    const host = new SampleHost()
    const exchange = sampleExchange(host)
    exchange.settle(completed)
    exchange.end('session_ended')
    expect(host.closes).toEqual([exchange])
    const outlet = new RecordingOutlet()
    exchange.attach(outlet)
    expect(outlet.events).toEqual([{ kind: 'end', reason: 'session_ended' }])
    expect(host.closes).toHaveLength(1)
  })

  test('a producer of chunks waits when the bound is reached, at most until the next reader', async () => {
    const exchange = sampleExchange(new SampleHost())
    const waits = Array.from({ length: 64 }, (_, n) => exchange.chunk(n))
    expect(waits.findIndex((wait) => wait !== undefined)).toBe(63)
    exchange.attach(new RecordingOutlet())
    await waits[63]
  })

  test('dropped notifications are counted', () => {
    const exchange = sampleExchange(new SampleHost())
    const params = payloadOf({ level: 'info', data: 'x'.repeat(1_000_000) })
    for (let n = 0; n < 6; n += 1) exchange.notify({ method: 'notifications/message', params })
    expect(exchange.dropped).toBe(4)
    const outlet = new RecordingOutlet()
    exchange.attach(outlet)
    exchange.settle({ kind: 'complete', result: payloadOf({}) })
    expect(outlet.events.map(({ kind }) => kind)).toEqual(['notification', 'notification', 'notification', 'outcome'])
    const told = outlet.events[2]
    expect(told?.kind === 'notification' && told.notification.params?.value()).toMatchObject({
      level: 'warning',
      data: expect.stringMatching(/^4 notifications/),
    })
  })
})

describe('a slow reader', () => {
  test.each(['later', 'with the outcome'])(
    'receives an error when a kept event cannot be written, %s',
    async (when) => {
      const host = new SampleHost()
      const failed = vi.fn<(exchange: unknown, error: unknown) => void>()
      const broken = new Error('broken')
      const outlet = new RecordingOutlet({ slow: true })
      const { view } = outlet
      const write = (event: ExchangeEvent): Promise<void> | undefined => {
        if (event.kind === 'chunk' && event.data === 2) throw broken
        return outlet.write(event)
      }
      const exchange = sampleExchange(Object.assign(host, { failed }))
      const listener = new CountingListener()
      exchange.onEnd(listener)
      exchange.attach({ view, write })
      void exchange.chunk(1)
      void exchange.chunk(2)
      void exchange.chunk(3)
      if (when === 'later') outlet.drain()
      else exchange.settle(completed)
      await expect.poll(() => outlet.kinds).toEqual(['chunk', 'outcome'])
      expect(outlet.events.at(-1)).toMatchObject({ outcome: { kind: 'error', error: { code: -32_603 } } })
      expect(failed.mock.calls).toEqual([[exchange, broken]])
      expect(host.closes).toEqual([exchange])
      expect(listener.reasons).toEqual(when === 'later' ? ['cancelled'] : [])
    },
  )

  test('delays everything except the outcome', async () => {
    const { exchange, outlet } = attached({ slow: true })
    const wait = exchange.chunk(1)
    void exchange.chunk(2)
    exchange.progress({ progress: 1 })
    exchange.progress({ progress: 2 })
    expect(outlet.kinds).toEqual(['chunk'])
    exchange.settle(completed)
    expect(outlet.kinds).toEqual(['chunk', 'chunk', 'progress', 'outcome'])
    await wait
  })

  test('resumes when it has caught up', async () => {
    const { exchange, outlet } = attached({ slow: true })
    const wait = exchange.chunk(1)
    outlet.drain()
    await wait
    void exchange.chunk(2)
    expect(outlet.kinds).toEqual(['chunk', 'chunk'])
  })

  test('has no effect any more after it was replaced', async () => {
    const { exchange, outlet } = attached({ slow: true })
    void exchange.chunk(1)
    const next = new RecordingOutlet({ slow: true })
    exchange.attach(next)
    const wait = exchange.chunk(2)
    exchange.notify({ method: 'notifications/message', params: undefined })
    outlet.drain()
    await Promise.resolve()
    expect(next.kinds).toEqual(['chunk'])
    next.drain()
    await expect.poll(() => next.kinds).toEqual(['chunk', 'notification'])
    next.drain()
    await wait
  })

  test('may be replaced from within its own write', () => {
    const exchange = sampleExchange(new SampleHost())
    const next = new RecordingOutlet()
    exchange.attach({
      view: next.view,
      write() {
        exchange.attach(next)
        return new Promise(() => {})
      },
    })
    exchange.notify({ method: 'first', params: undefined })
    exchange.notify({ method: 'second', params: undefined })
    expect(next.kinds).toEqual(['notification'])
  })
})

describe('the end', () => {
  test('calls each listener once, although one of them fails', () => {
    const { exchange } = attached()
    const failing = new CountingListener(() => {
      throw new Error('a fault')
    })
    const other = new CountingListener()
    for (const listener of [failing, failing, other, failing, other]) exchange.onEnd(listener)
    exchange.end('shutdown')
    exchange.end('cancelled')
    expect([failing.reasons, other.reasons]).toEqual([['shutdown'], ['shutdown']])
    expect(exchange.ended).toBe('shutdown')
  })

  test('immediately calls a listener that is added later', () => {
    const { exchange } = attached()
    const listener = new CountingListener()
    exchange.end('cancelled')
    exchange.onEnd(listener)
    expect(listener.reasons).toEqual(['cancelled'])
  })

  test('calls no listener when the handler has settled before', () => {
    const exchange = sampleExchange(new SampleHost())
    const listener = new CountingListener()
    exchange.onEnd(listener)
    exchange.settle(completed)
    exchange.onEnd(listener)
    exchange.end('cancelled')
    expect(listener.reasons).toEqual([])
  })

  test('aborts the signal with its reason, also when the signal is read later', () => {
    const { exchange } = attached()
    const { signal } = exchange
    expect(signal.aborted).toBe(false)
    exchange.end('deadline')
    expect(signal.reason).toBe('deadline')
    const late = attached().exchange
    late.end('shutdown')
    expect(late.signal.reason).toBe('shutdown')
  })

  test('nothing is written after it', () => {
    const { exchange, outlet, host } = attached()
    exchange.end('cancelled')
    exchange.ack()
    exchange.progress({ progress: 1 })
    exchange.notify({ method: 'late', params: undefined })
    exchange.settle(completed)
    exchange.attach(new RecordingOutlet())
    exchange.detach()
    expect(exchange.chunk('late')).toBeUndefined()
    expect(outlet.kinds).toEqual(['end'])
    expect(host.closes).toHaveLength(1)
  })
})

describe('a call of another tool', () => {
  const params = payloadOf({ name: 'a:b' })

  test('is refused at an outlet that writes for a client, which sees nothing of it', async () => {
    const { exchange, outlet } = attached()
    expect(await exchange.callTool(params)).toMatchObject({ error: { code: -32_601 } })
    expect(outlet.kinds).toEqual([])
  })

  test('is written to an outlet that forwards, once, and does not postpone the deadline', async () => {
    const host = new SampleHost()
    const exchange = sampleExchange(host)
    const outlet = Object.assign(new RecordingOutlet(), { forwards: true })
    exchange.attach(outlet)
    const answer = exchange.callTool(params, { timeoutMs: 5 })
    expect(outlet.events).toMatchObject([
      { kind: 'ask', to: 'gateway', request: { params }, options: { timeoutMs: 5 } },
    ])
    const before = exchange.deadline
    host.time += 1_000
    expect(exchange.deadline).toBe(before)
    const next = Object.assign(new RecordingOutlet(), { forwards: true })
    exchange.attach(next)
    expect(next.kinds).toEqual([])
    const [asked] = outlet.events
    exchange.answer(asked?.kind === 'ask' ? asked.id : '', { result: params })
    expect(await answer).toEqual({ result: params })
  })
})
