import type { Control } from '@junctor/contracts'
import type { Handler, Outcome } from '@junctor/exchange'
import { payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { createRequest, eventually, recordExchange } from '@junctor/testkit'
import { expect, test } from 'vitest'
import type { SentContext } from '../wire/context-names.ts'
import { frameLimit } from '../wire/frame-limit.ts'
import { printOpening } from '../wire/print-call-frame.ts'
import { checkedPayload } from './checked-payload.ts'
import { createPipeFabric, type PipeFabric } from './pipe-fabric.ts'
import { frameKinds, printPipeFrame } from './pipe-frame.ts'

interface Pipe {
  readonly near: PipeFabric
  readonly far: PipeFabric
  readonly problems: string[]
  readonly controls: Control[]
}

/** Two ends; each write arrives in a later turn, split at an odd place. */
function createPipe(mostServed?: number): Pipe {
  const problems: string[] = []
  const controls: Control[] = []
  const to = (end: () => PipeFabric) => (bytes: Buffer) => {
    const at = Math.min(7, bytes.length)
    setImmediate(() => {
      end().receive(bytes.subarray(0, at))
      end().receive(bytes.subarray(at))
    })
  }
  const ends = {
    onControl: (control: Control) => controls.push(control),
    unreadable: (why: string) => problems.push(why),
  }
  const near: PipeFabric = createPipeFabric({
    ...ends,
    node: 'nearnear',
    write: to(() => far),
    payload: checkedPayload,
  })
  const far: PipeFabric = createPipeFabric({
    ...ends,
    node: 'farfarfa',
    write: to(() => near),
    ...(mostServed !== undefined && { mostServed }),
  })
  return { near, far, problems, controls }
}

const request = createRequest('tools/call', { name: 'echo' })

async function called({ near, far }: Pipe, handler: Handler, recorded = recordExchange()): Promise<Outcome> {
  await far.serve('weather', handler)
  return near.call({ service: 'weather' }, request, recorded.exchange)
}

function reasonOf(outcome: Outcome): unknown {
  return outcome.kind === 'error' ? outcome.error.data?.value() : outcome
}

test('a call has its events in order, its answered question and its outcome, character for character', async () => {
  const recorded = recordExchange()
  const exact = '{"n":9007199254740993,"t":"ä\\n"}'
  const running = called(
    createPipe(),
    async (received, exchange) => {
      expect(received.params?.value()).toEqual({ name: 'echo' })
      exchange.notify({ method: 'notifications/message', params: payloadOf({ data: 'x' }) })
      await exchange.chunk({ piece: 1 })
      const answer = await exchange.ask({ method: 'roots/list', params: undefined })
      return { kind: 'complete', result: 'result' in answer ? payloadFromText(exact) : payloadOf('no answer') }
    },
    recorded,
  )
  await eventually(() => expect(recorded.asks.size).toBe(1))
  for (const id of recorded.asks.keys()) recorded.exchange.answer(id, { result: payloadOf({ roots: [] }) })
  const outcome = await running
  expect(recorded.events.map(({ kind }) => kind)).toEqual(['notification', 'chunk', 'ask'])
  expect(outcome.kind === 'complete' && printPayload(outcome.result)).toBe(exact)
})

test('a call of another tool is made by the caller, and is never a question to its client', async () => {
  const recorded = recordExchange()
  const made: unknown[] = []
  recorded.exchange.callTool = async (params) => {
    made.push(params?.value())
    return { result: payloadOf({ content: [] }) }
  }
  const outcome = await called(
    createPipe(),
    async (_received, exchange) => {
      const answer = await exchange.callTool(payloadOf({ name: 'clock:now' }))
      return { kind: 'complete', result: 'result' in answer ? answer.result : payloadOf('no answer') }
    },
    recorded,
  )
  expect(made).toEqual([{ name: 'clock:now' }])
  expect(recorded.events).toEqual([])
  expect(outcome.kind === 'complete' && outcome.result.value()).toEqual({ content: [] })
})

test('the end of the caller reaches the handler, with its reason', async () => {
  const recorded = recordExchange()
  const received = Promise.withResolvers<unknown>()
  const running = called(
    createPipe(),
    (_request, exchange) => {
      exchange.signal.addEventListener('abort', () => received.resolve(exchange.signal.reason))
      queueMicrotask(() => recorded.exchange.end('deadline'))
      return new Promise<Outcome>(() => {})
    },
    recorded,
  )
  expect(await received.promise).toBe('deadline')
  await running
})

test('a producer waits for a slow reader, over the pipe too', async () => {
  const recorded = recordExchange()
  recorded.stall()
  let sent = 0
  const running = called(
    createPipe(),
    async (_request, exchange) => {
      for (; sent < 4_000; sent += 1) await exchange.chunk({ sent })
      return { kind: 'complete', result: payloadOf({}) }
    },
    recorded,
  )
  await eventually(() => expect(sent).toBeGreaterThan(1_000))
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent).toBeLessThan(1_200)
  recorded.resume()
  await running
  expect(sent).toBe(4_000)
  expect(recorded.events).toHaveLength(4_000)
})

test('when the other end is lost, calls in both directions end, and later ones are not sent', async () => {
  const pipe = createPipe()
  const ended = Promise.withResolvers<unknown>()
  const running = called(pipe, (_request, exchange) => {
    exchange.signal.addEventListener('abort', () => ended.resolve(exchange.ended))
    queueMicrotask(() => {
      pipe.near.lose()
      pipe.far.lose()
    })
    return new Promise<Outcome>(() => {})
  })
  expect(reasonOf(await running)).toMatchObject({ reason: 'backend_exited' })
  expect(await ended.promise).toBe('disconnected')
  const { exchange } = recordExchange()
  const outcome = await pipe.near.call({ service: 'weather' }, request, exchange)
  expect(reasonOf(outcome)).toMatchObject({ reason: 'backend_unavailable' })
})

test('a service that is not there, and a call too many, were not run', async () => {
  const { near } = createPipe()
  const outcome = await near.call({ service: 'none' }, request, recordExchange().exchange)
  expect(reasonOf(outcome)).toMatchObject({ reason: 'backend_unavailable' })
  const full = createPipe(1)
  await full.far.serve('weather', () => new Promise<Outcome>(() => {}))
  void full.near.call({ service: 'weather' }, request, recordExchange().exchange)
  const second = await full.near.call({ service: 'weather' }, request, recordExchange().exchange)
  expect(reasonOf(second)).toMatchObject({ reason: 'backend_unavailable' })
})

test('messages outside calls arrive in order', async () => {
  const { far, controls } = createPipe()
  far.control({ kind: 'log', body: 1 })
  far.control({ kind: 'log', body: 2 })
  await eventually(() => expect(controls.map(({ body }) => body)).toEqual([1, 2]))
})

test('an answer that is too large is an error of its call, and so is a request', async () => {
  const huge: Outcome = { kind: 'complete', result: payloadOf('x'.repeat(frameLimit)) }
  const tooLarge = { kind: 'error', error: { message: expect.stringMatching(/32 MiB to and from a plugin/) } }
  expect(await called(createPipe(), () => huge)).toMatchObject(tooLarge)
  const asked = { ...request, params: payloadOf({ text: 'x'.repeat(frameLimit) }) }
  const outcome = await createPipe().near.call({ service: 'weather' }, asked, recordExchange().exchange)
  expect(outcome).toMatchObject(tooLarge)
})

test.each([
  ['no JSON', 'oops'],
  ['JSON and more', '{"a":1},"b":2'],
  ['a depth that readers cannot handle', '['.repeat(100) + ']'.repeat(100)],
])('a result that is %s ends its call, and reaches nobody', async (_what, text) => {
  const pipe = createPipe()
  const outcome = await called(pipe, () => ({ kind: 'complete', result: payloadFromText(text) }))
  expect(reasonOf(outcome)).toMatchObject({ reason: 'backend_exited' })
  expect(pipe.problems).toHaveLength(1)
})

test('a carriage return between members does not split the line of a client', async () => {
  const outcome = await called(createPipe(), () => ({ kind: 'complete', result: payloadFromText('{"a":\r1}') }))
  expect(outcome.kind === 'complete' && printPayload(outcome.result)).toBe('{"a":1}')
})

test('an end does not get the context that another end of this process has sent, by its name', async () => {
  const served: string[] = []
  const receiver = async (node: string): Promise<PipeFabric> => {
    const end = createPipeFabric({ node, write() {}, onControl() {}, unreadable() {} })
    await end.serve('weather', () => {
      served.push(node)
      return { kind: 'complete', result: payloadOf({}) }
    })
    return end
  }
  const { id, context, deadline } = recordExchange().exchange
  const opening = { service: 'weather', exchange: id, request, context, deadline, attempt: 1, wantsProgress: false }
  const sent = (kind: SentContext['kind']): Buffer =>
    printPipeFrame(frameKinds.opening, 1, printOpening(opening, { kind, name: 'a-1' })) ?? Buffer.alloc(0)
  const [one, other] = [await receiver('one'), await receiver('other')]
  one.receive(sent('full'))
  other.receive(sent('named'))
  expect(served).toEqual(['one'])
})

test('bytes that are no frames are an exception for the owner of the pipe', () => {
  const { near } = createPipe()
  expect(() => near.receive(Buffer.from('hello, this is no frame'))).toThrow(/expected a frame/)
  const other = createPipe().near
  const frame = printPipeFrame(frameKinds.control, 0, '{}')
  frame?.writeUInt8(9, 4)
  expect(() => other.receive(frame ?? Buffer.alloc(0))).toThrow(/a known kind/)
})

const guess = { method: 'roots/list', params: undefined }

/** A call that was cancelled after its client had seen a question that was guessed to be of it. */
async function cancelledAfterGuess(pipe: ReturnType<typeof createPipe>) {
  const answered = Promise.withResolvers<unknown>()
  const recorded = recordExchange()
  const outcome = called(
    pipe,
    (_request, exchange) => {
      void exchange.ask(guess, { guessed: true }).then(answered.resolve)
      return new Promise(() => {})
    },
    recorded,
  )
  const asked = await eventually(() => {
    const event = recorded.events.find(({ kind }) => kind === 'ask')
    if (event?.kind !== 'ask') throw new Error('not asked yet')
    return event
  })
  recorded.exchange.end('cancelled')
  await outcome
  return { answered: answered.promise, recorded, asked }
}

test('a guessed question that the client has seen is answered after the end of the call', async () => {
  const { answered, recorded, asked } = await cancelledAfterGuess(createPipe())
  recorded.exchange.answer(asked.id, { result: payloadOf({ roots: [] }) })
  expect(await answered).toMatchObject({ result: { text: '{"roots":[]}' } })
})

test('a guessed question is withdrawn when the other end is lost', async () => {
  const pipe = createPipe()
  const { answered } = await cancelledAfterGuess(pipe)
  pipe.far.lose()
  expect(await answered).toHaveProperty('error')
})
