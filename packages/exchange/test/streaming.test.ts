import { describe, expect, test } from 'vitest'
import {
  Renderer,
  gatheredLimit,
  type ExchangeEvent,
  type OpenExchange,
  type Outcome,
  type Outlet,
  type View,
} from '../src/index.ts'
import { completed, sampleExchange, SampleHost, sampleView } from './samples.ts'

/** The number of chunks that an exchange keeps before the producer must wait. */
const window = 64

/** Reads a given number of events before it is slow, and checks that none is missing, repeated or out of order. */
class SlowReader implements Outlet {
  readonly view: View
  read = 0
  inOrder = true
  last: ExchangeEvent | undefined
  readonly #takes: number
  #waiting: PromiseWithResolvers<void> | undefined

  constructor(takes: number, view: View = sampleView) {
    this.#takes = takes
    this.view = view
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    if (this.last !== undefined) this.inOrder = false
    if (event.kind !== 'chunk') {
      this.last = event
      return undefined
    }
    if (event.data !== this.read) this.inOrder = false
    this.read += 1
    if (this.#waiting === undefined && this.read % this.#takes !== 0) return undefined
    this.#waiting ??= Promise.withResolvers<void>()
    return this.#waiting.promise
  }

  drain(): void {
    this.#waiting?.resolve()
    this.#waiting = undefined
  }
}

/** Produces chunks like a correct handler: it waits when required, and stops when the exchange has ended. */
async function produce(exchange: OpenExchange, count: number, made: (n: number) => void): Promise<void> {
  for (let n = 0; n < count && exchange.ended === undefined; n += 1) {
    const room = exchange.chunk(n)
    made(n + 1)
    if (room !== undefined) await room
  }
}

/** The third of these is above the limit of gathered chunks. */
const piece = 'a'.repeat(gatheredLimit / 2)

/** Gathers chunks for a client without a stream, up to a limit. */
class Gatherer implements Outlet {
  readonly view: View = sampleView
  readonly events: ExchangeEvent[] = []
  readonly #renderer = new Renderer(sampleView)

  get overflow(): Outcome | undefined {
    return this.#renderer.overflow
  }

  write(event: ExchangeEvent): undefined {
    this.#renderer.render(event)
    this.events.push(event)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Lets the reader continue in each turn of the event loop until the work is done. */
async function readUntil(work: Promise<void>, readerNow: () => SlowReader): Promise<void> {
  const state = { done: false }
  const done = work.then(() => (state.done = true))
  while (!state.done) {
    await turn()
    readerNow().drain()
  }
  await done
}

describe('a stream of a million pieces', () => {
  const count = 1_000_000

  test('reaches a slow reader completely and in order, and is never far ahead of it', async () => {
    const exchange = sampleExchange(new SampleHost())
    const reader = new SlowReader(1000)
    exchange.attach(reader)
    let ahead = 0
    await readUntil(
      produce(exchange, count, (made) => (ahead = Math.max(ahead, made - reader.read))),
      () => reader,
    )
    exchange.settle(completed)
    expect(reader).toMatchObject({ read: count, inOrder: true, last: { kind: 'outcome' } })
    expect(ahead).toBeLessThanOrEqual(window)
  }, 20_000)
})

test('readers that attach and detach lose no chunks, and at most one window is kept for them', async () => {
  const count = 20_000
  const exchange = sampleExchange(new SampleHost())
  let reader = new SlowReader(7)
  let ahead = 0
  const state = { done: false }
  const work = produce(exchange, count, (made) => (ahead = Math.max(ahead, made - reader.read))).then(
    () => (state.done = true),
  )
  for (let round = 0; !state.done; round += 1) {
    const next = new SlowReader(1 + (round % 500))
    next.read = reader.read
    next.inOrder = reader.inOrder
    reader = next
    exchange.attach(reader)
    await turn()
    if (round % 3 === 0) exchange.detach()
    await turn()
    reader.drain()
  }
  await work
  exchange.settle(completed)
  exchange.attach(reader)
  expect(reader).toMatchObject({ read: count, inOrder: true, last: { kind: 'outcome' } })
  expect(ahead).toBe(window)
})

describe('after an abort', () => {
  test.each([
    ['in front of a slow reader', true],
    ['without a reader', false],
  ])('a producer creates at most one more window, %s', async (_name, isRead) => {
    const exchange = sampleExchange(new SampleHost())
    const reader = new SlowReader(10)
    if (isRead) exchange.attach(reader)
    let made = 0
    const work = produce(exchange, 1_000_000, (count) => (made = count))
    await turn()
    const before = made
    expect(before).toBe(isRead ? 10 : window)
    exchange.end('cancelled')
    await work
    expect(made - before).toBeLessThanOrEqual(window)
  })

  test('further chunks of a producer are neither kept nor shown', async () => {
    const exchange = sampleExchange(new SampleHost())
    const reader = new SlowReader(10)
    exchange.attach(reader)
    exchange.end('cancelled')
    for (let n = 0; n < 1000; n += 1) expect(exchange.chunk(n)).toBeUndefined()
    expect(reader).toMatchObject({ read: 0, last: { kind: 'end', reason: 'cancelled' } })
  })
})

test('for a client with a stream, each chunk is a separate frame, and the last frame ends the stream', async () => {
  const count = 10_000
  const renderer = new Renderer({ ...sampleView, dialect: '3.0', stream: true })
  const exchange = sampleExchange(new SampleHost())
  const frames: string[] = []
  const reader = new SlowReader(100)
  exchange.attach({
    view: reader.view,
    write(event) {
      frames.push(renderer.render(event)?.text ?? '')
      return reader.write(event)
    },
  })
  await readUntil(
    produce(exchange, count, () => {}),
    () => reader,
  )
  exchange.settle(completed)
  expect(frames).toEqual([
    ...Array.from({ length: count }, (_, n) => `{"jsonrpc":"3.0","stream":{"id":7,"data":${n}}}`),
    '{"jsonrpc":"3.0","stream":{"id":7},"result":{"content":[]}}',
  ])
})

describe('chunks that are too large for a client without a stream', () => {
  const tooLarge = {
    kind: 'error',
    error: { code: -32_600, message: 'The streamed result is larger than 1048576 characters' },
  }

  test('end the request immediately, and stop its handler', () => {
    const exchange = sampleExchange(new SampleHost())
    const ends: string[] = []
    exchange.onEnd({ ended: (reason) => void ends.push(reason) })
    const gatherer = new Gatherer()
    exchange.attach(gatherer)
    for (let n = 0; n < 100; n += 1) void exchange.chunk(piece)
    expect(gatherer.events.map(({ kind }) => kind)).toEqual(['chunk', 'chunk', 'chunk', 'outcome'])
    expect(gatherer.events.at(-1)).toMatchObject({ outcome: tooLarge })
    expect(ends).toEqual(['cancelled'])
  })

  test('give that error also when they were kept for a reader that comes later', () => {
    const exchange = sampleExchange(new SampleHost())
    for (let n = 0; n < 5; n += 1) void exchange.chunk(piece)
    exchange.settle(completed)
    const gatherer = new Gatherer()
    exchange.attach(gatherer)
    expect(gatherer.events.at(-1)).toMatchObject({ kind: 'outcome', outcome: tooLarge })
  })
})
