import { setTimeout as after } from 'node:timers/promises'
import type { CallTarget } from '@junctor/contracts'
import type { EndReason, Exchange, Handler, Outcome } from '@junctor/exchange'
import { type Answer, type JsonValue, payloadFromText, payloadOf, printPayload, type Request } from '@junctor/jsonrpc'
import { expect, test, vi } from 'vitest'
import { createRequest, recordExchange } from '../recorded-exchange.ts'
import { type CreateFabrics, pairForEachTest } from './fabric-pair.ts'
import { eventually } from '../eventually.ts'

const complete = (value: JsonValue): Outcome => ({ kind: 'complete', result: payloadOf(value) })

function valueOf(outcome: Outcome): unknown {
  return outcome.kind === 'complete' ? outcome.result.value() : outcome
}

/** The data of an error outcome; any other outcome unchanged. */
function errorData(outcome: Outcome): unknown {
  return outcome.kind === 'error' ? outcome.error.data?.value() : outcome
}

/** The tests of calls between nodes, which every fabric must pass. */
export function describeFabricCalls(create: CreateFabrics): void {
  const pair = pairForEachTest(create)

  /** Calls from the near node, on an exchange that the test does not inspect. */
  const call = (to: CallTarget): Promise<Outcome> => pair.near.call(to, createRequest('m'), recordExchange().exchange)

  test('a request reaches the handler unchanged, on an exchange with the same id and context', async () => {
    let seen: { readonly request: Request; readonly exchange: Exchange } | undefined
    await pair.far.serve('backend', (request, exchange) => {
      seen = { request, exchange }
      return complete('done')
    })
    const request: Request = {
      ...createRequest('tools/call', undefined, 'an id'),
      params: payloadFromText('{"n":9007199254740993,"t":"ä"}'),
      options: payloadOf({ async: { ttl: '1h' } }),
    }
    const { exchange } = recordExchange({ request, init: { attempt: 3, wantsProgress: true } })
    expect(valueOf(await pair.near.call({ service: 'backend' }, request, exchange))).toBe('done')
    expect(seen?.request).toMatchObject({ id: request.id, method: 'tools/call' })
    expect(seen?.request.params && printPayload(seen.request.params)).toBe('{"n":9007199254740993,"t":"ä"}')
    expect(seen?.exchange).toMatchObject({
      id: exchange.id,
      attempt: 3,
      context: exchange.context,
      deadline: exchange.deadline,
      options: { async: { ttl: '1h' } },
      wantsProgress: true,
    })
  })

  test('events of the handler appear on the caller’s exchange, in order, before the outcome', async () => {
    await pair.far.serve('backend', async (_request, exchange) => {
      exchange.ack({ info: { jobId: 'j' } })
      exchange.progress({ progress: 1, total: 2, message: 'half' })
      exchange.notify({ method: 'notifications/message', params: payloadOf({ data: 'x' }) })
      for (let n = 0; n < 10; n += 1) await exchange.chunk({ n })
      exchange.progress({ progress: 2 })
      return complete('done')
    })
    const { exchange, events } = recordExchange()
    const outcome = await pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
    expect(valueOf(outcome)).toBe('done')
    expect(events.map((event) => event.kind)).toEqual([
      'ack',
      'progress',
      'notification',
      ...Array.from({ length: 10 }, () => 'chunk'),
      'progress',
    ])
    expect(events[0]).toEqual({ kind: 'ack', ack: { info: { jobId: 'j' } } })
    expect(events[1]).toEqual({ kind: 'progress', progress: { progress: 1, total: 2, message: 'half' } })
    expect(events[12]).toEqual({ kind: 'chunk', data: { n: 9 } })
  })

  test('an error is passed on unchanged', async () => {
    const error = { code: 42, message: 'no', data: payloadOf({ why: ['because'] }), status: 418 }
    await pair.far.serve('backend', () => ({ kind: 'error', error }))
    const outcome = await call({ service: 'backend' })
    expect(outcome).toMatchObject({ kind: 'error', error: { code: 42, message: 'no', status: 418 } })
    expect(outcome.kind === 'error' && outcome.error.data?.value()).toEqual({ why: ['because'] })
  })

  test('a question is passed on as an outcome', async () => {
    const requests = { a: { method: 'roots/list', params: undefined } }
    const outcome: Outcome = { kind: 'input_required', requests, state: 's' }
    await pair.far.serve('backend', () => outcome)
    expect(await call({ service: 'backend' })).toEqual(outcome)
  })

  test('several megabytes are carried in both directions', async () => {
    const large = 'ä€😀"'.repeat(500_000)
    await pair.far.serve('backend', ({ params }) => complete([params?.value() as JsonValue]))
    const outcome = await pair.near.call(
      { service: 'backend' },
      createRequest('m', { large }),
      recordExchange().exchange,
    )
    expect(valueOf(outcome)).toEqual([{ large }])
  })

  test('many concurrent calls are not mixed up', async () => {
    await pair.far.serve('backend', async ({ params }, exchange) => {
      await exchange.chunk(params?.value())
      return complete(params?.value() as JsonValue)
    })
    const calls = Array.from({ length: 50 }, async (_, n) => {
      const { exchange, events } = recordExchange({ init: { id: `testnode-x${n}` } })
      const outcome = await pair.near.call({ service: 'backend' }, createRequest('m', [n], 1), exchange)
      return [valueOf(outcome), events.map((event) => event.kind === 'chunk' && event.data)]
    })
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 50 }, (_, n) => [[n], [[n]]]))
  })

  test('an ask of the handler reaches the client with its options, and the answer comes back', async () => {
    await pair.far.serve('backend', async (_request, exchange) => {
      const question = { method: 'elicitation/create', params: payloadOf({ message: 'sure?' }) }
      const answer = await exchange.ask(question, { timeoutMs: 1234, guessed: true })
      return 'result' in answer ? { kind: 'complete', result: answer.result } : { kind: 'error', error: answer.error }
    })
    const { exchange, events, asks } = recordExchange()
    const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
    await eventually(() => expect(asks.size).toBe(1))
    const [asked] = events
    expect(asked).toMatchObject({ kind: 'ask', request: { method: 'elicitation/create' } })
    const [[id, options] = []] = asks
    expect(options).toMatchObject({ timeoutMs: 1234, guessed: true })
    exchange.answer(id ?? 'none', { result: payloadOf({ action: 'accept' }) })
    expect(valueOf(await outcome)).toEqual({ action: 'accept' })
  })

  test('a call of another tool is made at the near node, with its options, for as long as the handler wants', async () => {
    const controller = new AbortController()
    await pair.far.serve('backend', async (_request, exchange) => {
      const params = payloadOf({ name: 'a:b' })
      const first = await exchange.callTool(params, { timeoutMs: 1234 })
      const second = exchange.callTool(params, { signal: controller.signal })
      return complete(['result' in first && (first.result.value() as JsonValue), 'error' in (await second)])
    })
    const { exchange, events } = recordExchange()
    const made: (number | undefined)[] = []
    const aborted = Promise.withResolvers<Answer>()
    // A gateway's exchange answers such calls itself; that of a client refuses them.
    exchange.callTool = (params, options) => {
      made.push(options?.timeoutMs)
      if (made.length === 1) return Promise.resolve({ result: params ?? payloadOf({}) })
      options?.signal?.addEventListener('abort', () => aborted.resolve({ error: { code: 1, message: 'over' } }))
      return aborted.promise
    }
    const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
    await eventually(() => expect(made).toEqual([1234, undefined]))
    controller.abort()
    expect(valueOf(await outcome)).toEqual([{ name: 'a:b' }, true])
    await aborted.promise
    expect(events).toEqual([])
  })

  test('the chain of tools that led to a request goes with it', async () => {
    const seen: unknown[] = []
    await pair.far.serve('backend', (_request, exchange) => {
      seen.push(exchange.context.chain)
      return complete('done')
    })
    const { exchange: sample } = recordExchange()
    for (const chain of [undefined, ['a:b'], ['a:b', 'c:d'], undefined]) {
      const context = { ...sample.context, ...(chain && { chain }) }
      const { exchange } = recordExchange({ init: { context } })
      await pair.near.call({ service: 'backend', node: pair.far.node }, createRequest('m'), exchange)
    }
    expect(seen).toEqual([undefined, ['a:b'], ['a:b', 'c:d'], undefined])
  })

  test('an ask that the handler cancels is withdrawn from the client', async () => {
    const controller = new AbortController()
    await pair.far.serve('backend', async (_request, exchange) => {
      const answer = await exchange.ask({ method: 'roots/list', params: undefined }, { signal: controller.signal })
      return complete('error' in answer)
    })
    const { exchange, events, asks } = recordExchange()
    const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
    await eventually(() => expect(asks.size).toBe(1))
    controller.abort()
    expect(valueOf(await outcome)).toBe(true)
    await eventually(() => expect(events.map((event) => event.kind)).toEqual(['ask', 'withdrawn']))
  })

  test.each<EndReason>(['cancelled', 'disconnected', 'deadline'])(
    'guessed asks that the client has seen are answered after the end of the call, also at once (%s)',
    async (reason) => {
      // Other requests may wait for these answers.
      const answered = Promise.withResolvers<readonly Answer[]>()
      await pair.far.serve('backend', (_request, exchange) => {
        const ask = () => exchange.ask({ method: 'roots/list', params: undefined }, { guessed: true })
        void Promise.all([ask(), ask()]).then(answered.resolve)
        return new Promise(() => {})
      })
      const { exchange, asks } = recordExchange()
      const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
      await eventually(() => expect(asks.size).toBe(2))
      exchange.end(reason)
      await outcome
      // The far end's last message about the call has arrived before that of a later call.
      await pair.far.serve('later', () => complete('done'))
      await pair.near.call({ service: 'later', node: pair.far.node }, createRequest('m'), recordExchange().exchange)
      for (const id of asks.keys()) exchange.answer(id, { result: payloadOf({ roots: [] }) })
      const answers = await answered.promise
      expect(answers.map((answer) => 'result' in answer && answer.result.value())).toEqual([
        { roots: [] },
        { roots: [] },
      ])
    },
  )

  test('a guessed ask that is sent when its call ends is answered', async () => {
    const begun = Promise.withResolvers<Exchange>()
    await pair.far.serve('backend', (_request, exchange) => {
      exchange.ack()
      begun.resolve(exchange)
      return new Promise(() => {})
    })
    const { exchange, events, asks } = recordExchange()
    const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
    const far = await begun.promise
    await eventually(() => expect(events).toHaveLength(1))
    const answer = far.ask({ method: 'roots/list', params: undefined }, { guessed: true })
    exchange.end('cancelled')
    await outcome
    // The client may have seen it.
    for (const id of asks.keys()) exchange.answer(id, { result: payloadOf({ roots: [] }) })
    expect(await answer).toBeDefined()
  })

  test('an ask that the client has not answered is withdrawn by the outcome', async () => {
    await pair.far.serve('backend', async (_request, exchange) => {
      void exchange.ask({ method: 'roots/list', params: undefined })
      return complete('done')
    })
    const { exchange, events } = recordExchange()
    await pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
    expect(events.map((event) => event.kind)).toEqual(['ask', 'withdrawn'])
  })

  // Data in transit are limited by bytes, and by the buffer of an exchange for its reader.
  test.each([4, 1_000])('a slow client makes a handler of chunks of %i characters wait, and gets all', async (size) => {
    const chunks = Array.from({ length: 5_000 }, (_, n) => `${n}`.padStart(size))
    let sent = 0
    await pair.far.serve('backend', async (_request, exchange) => {
      for (const chunk of chunks) {
        sent += 1
        await exchange.chunk(chunk)
      }
      return complete('done')
    })
    const client = recordExchange()
    client.stall()
    const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), client.exchange)
    await untilStill(() => sent)
    expect(sent).toBeLessThan(1_100)
    client.resume()
    expect(valueOf(await outcome)).toBe('done')
    expect(client.events.map((event) => event.kind === 'chunk' && event.data)).toEqual(chunks)
  })

  test.each<EndReason>(['cancelled', 'deadline', 'session_ended'])(
    'the handler is notified when the caller’s exchange ends: %s',
    async (reason) => {
      const notified = Promise.withResolvers<readonly unknown[]>()
      const started = Promise.withResolvers<void>()
      await pair.far.serve('backend', (_request, exchange) => {
        exchange.onEnd({ ended: (received) => notified.resolve([received, exchange.ended, exchange.signal.reason]) })
        started.resolve()
        return new Promise<Outcome>(() => {})
      })
      const { exchange, events } = recordExchange()
      const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
      await started.promise
      exchange.end(reason)
      expect(await notified.promise).toEqual([reason, reason, reason])
      expect((await outcome).kind).toBe('error')
      expect(events).toEqual([{ kind: 'end', reason }])
    },
  )

  test('an exchange that has already ended runs nothing', async () => {
    const handler = vi.fn<Handler>(() => complete('done'))
    await pair.far.serve('backend', handler)
    const { exchange } = recordExchange()
    exchange.end('cancelled')
    expect(await pair.near.call({ service: 'backend' }, createRequest('m'), exchange)).toHaveProperty('kind', 'error')
    expect(handler).not.toHaveBeenCalled()
  })

  test.each<EndReason>(['cancelled', 'session_ended'])(
    'an exchange that ends just after its outcome has arrived, %s, does not affect another call',
    async (reason) => {
      await pair.far.serve('backend', () => complete('done'))
      for (let n = 0; n < 3; n += 1) {
        const { exchange } = recordExchange()
        expect(valueOf(await pair.near.call({ service: 'backend' }, createRequest('m'), exchange))).toBe('done')
        exchange.end(reason)
        const others = Array.from({ length: 5 }, () => call({ service: 'backend' }))
        expect((await Promise.all(others)).map((outcome) => outcome.kind)).toEqual(others.map(() => 'complete'))
      }
    },
  )

  test('actions of a handler after its outcome are not visible', async () => {
    const late = Promise.withResolvers<Exchange>()
    await pair.far.serve('backend', (_request, exchange) => {
      late.resolve(exchange)
      return complete('done')
    })
    const { exchange, events } = recordExchange()
    await pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
    const far = await late.promise
    far.progress({ progress: 1 })
    far.notify({ method: 'notifications/message', params: undefined })
    expect(far.chunk('late')).toBeUndefined()
    expect(await far.ask({ method: 'roots/list', params: undefined })).toHaveProperty('error')
    await call({ service: 'backend' })
    expect(events).toEqual([])
  })

  test.each<[string, Handler]>([
    [
      'throws',
      () => {
        throw new Error('secret path')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret path'))],
  ])('a handler that %s is an internal error without details', async (_name, handler) => {
    await pair.far.serve('backend', handler)
    const outcome = await call({ service: 'backend' })
    expect(errorData(outcome)).toMatchObject({ reason: 'internal_error' })
    expect(JSON.stringify([outcome, errorData(outcome)])).not.toContain('secret')
  })

  test('a service without a node is unavailable immediately, and named unless it is the gateway’s own', async () => {
    const unavailable = { reason: 'backend_unavailable', retryable: true }
    expect(errorData(await call({ service: 'search' }))).toEqual({ ...unavailable, backend: 'search' })
    expect(errorData(await call({ service: '$session' }))).toEqual(unavailable)
  })

  test('a service that was closed is unavailable', async () => {
    const closer = await pair.far.serve('backend', () => complete('done'))
    await closer.close()
    await closer.close()
    const outcome = await call({ service: 'backend' })
    expect(errorData(outcome)).toMatchObject({ reason: 'backend_unavailable' })
  })

  test('any node with the service answers, or the node that is named', async () => {
    await pair.near.serve('backend', () => complete(pair.near.node))
    await pair.far.serve('backend', () => complete(pair.far.node))
    const anybody = await Promise.all(
      Array.from({ length: 50 }, async () => valueOf(await call({ service: 'backend' }))),
    )
    expect(new Set(anybody)).toEqual(new Set([pair.near.node, pair.far.node]))
    expect(valueOf(await call({ service: 'backend', node: pair.near.node }))).toBe(pair.near.node)
    expect(valueOf(await call({ service: 'backend', node: pair.far.node }))).toBe(pair.far.node)
  })

  test('a named node without the service is unavailable', async () => {
    await pair.near.serve('backend', () => complete('near'))
    for (const node of [pair.far.node, 'nobody00']) {
      const outcome = await call({ service: 'backend', node })
      expect(errorData(outcome)).toMatchObject({ reason: 'backend_unavailable' })
    }
  })

  test('services are kept apart; those with a $ belong to their node, and are reached only by its name', async () => {
    const closer = await pair.far.serve('$session', () => complete('session'))
    await pair.near.serve('$session', () => complete('another'))
    await pair.far.serve('backend', () => complete('backend'))
    expect(valueOf(await call({ service: '$session', node: pair.far.node }))).toBe('session')
    expect(valueOf(await call({ service: 'backend' }))).toBe('backend')
    expect(errorData(await call({ service: '$session' }))).toMatchObject({ reason: 'backend_unavailable' })
    await closer.close()
    const gone = await call({ service: '$session', node: pair.far.node })
    expect(errorData(gone)).toMatchObject({ reason: 'backend_unavailable' })
  })
}

/** Waits until a count has begun to rise and no longer rises. */
async function untilStill(count: () => number): Promise<void> {
  await eventually(async () => {
    const before = count()
    await after(100)
    expect(before > 0 && count() === before).toBe(true)
  })
}
