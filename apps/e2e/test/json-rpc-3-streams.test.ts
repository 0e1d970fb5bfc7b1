import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventually } from '@junctor/testkit'
import { createBackend, createMethod, definePlugin } from '@junctor/plugin-sdk'
import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import * as z from 'zod'
import type { Cell } from '../src/cell.ts'
import { readUntilCut } from '../src/cut-stream.ts'
import { heapInUse } from '../src/heap-in-use.ts'
import { inGateway } from '../src/in-gateway.ts'
import { onStage, request, untilCall } from '../src/json-rpc-3/on-stage.ts'
import { openPacedWire, type PacedWire } from '../src/json-rpc-3/paced-wire.ts'
import { verifies } from '../src/verifies.ts'

// Long streams of JSON-RPC 3.0 to slow readers.

/** The pieces that are kept for a slow reader before the producer has to wait. */
const window = 64
const pieces = 20_000
/** Bytes of a piece: large enough that the buffers of a connection hold only a few pieces. */
const size = 1_000

interface Production {
  made: number
  /** The number of pieces when the abort arrived. */
  madeAtAbort: number
  stopped: boolean
}

interface Streaming {
  readonly wire: PacedWire
  readonly production: Production
}

/** A gateway whose only method produces a given number of pieces, and waits only for its reader, for as long as it takes. */
async function whileCounting(cell: Cell, body: (streaming: Streaming) => Promise<void>): Promise<void> {
  const production: Production = { made: 0, madeAtAbort: Infinity, stopped: false }
  async function* count(to: number): AsyncGenerator<string, string> {
    try {
      while (production.made < to) yield `${(production.made += 1)} `.padEnd(size, '.')
      return 'End'
    } finally {
      production.stopped = true
    }
  }
  const config: z.ZodType<object> = z.strictObject({})
  const plugin = definePlugin({
    name: 'counting',
    key: 'plugin',
    config,
    create: (_config, { name, log }) =>
      createBackend({
        name,
        log,
        methods: [
          createMethod({
            name: 'count',
            handler(params, { signal }) {
              signal.addEventListener('abort', () => (production.madeAtAbort = production.made))
              return count((params as readonly [number])[0])
            },
          }),
        ],
      }),
  })
  await inGateway(
    cell,
    { counting: { plugin: 'counting', timeout: '10m' } },
    async ({ gateway }) => {
      const wire = await openPacedWire(gateway, cell)
      try {
        await body({ wire, production })
      } finally {
        await wire.close()
      }
    },
    { plugins: [plugin] },
  )
}

const count = (to: number): string =>
  JSON.stringify({ jsonrpc: '3.0', method: 'count', params: [to], id: 1, options: { stream: true } })

interface Piece {
  readonly stream: { readonly id: number; readonly data?: string }
  readonly result?: unknown
  readonly error?: { readonly code: number }
}

async function take(texts: AsyncGenerator<string>): Promise<Piece> {
  const { value } = await texts.next()
  return JSON.parse(String(value)) as Piece
}

/**
 * Resolves when the producer stands still because its reader takes nothing. Returns how many pieces it has produced.
 */
async function untilStanding(production: Pick<Production, 'made'>): Promise<number> {
  let still = 0
  let last = -1
  await eventually(() => {
    still = production.made === last ? still + 1 : 0
    last = production.made
    expect(still).toBeGreaterThan(20)
  })
  return last
}

verifies('C-6.1', {}, async (cell) => {
  await whileCounting(cell, async ({ wire, production }) => {
    const texts = await wire.ask(count(pieces))
    const before = heapInUse()
    let kept = 0
    // At first, the reader takes nothing: the produced pieces are on their way, and no more are produced.
    expect(await untilStanding(production)).toBeLessThan(pieces / 2)
    for (let number = 1; number <= pieces; number += 1) {
      // oxlint-disable no-await-in-loop
      const piece = await take(texts)
      const received = Number.parseInt(piece.stream.data ?? '', 10)
      // An `expect` for each of so many takes long.
      if (received !== number) expect(received).toBe(number)
      if (number % 100 === 0) await nextTurn()
      // Late: what is kept of each piece has become much.
      if (number === pieces - 4_000) kept = heapInUse() - before
      // oxlint-enable no-await-in-loop
    }
    expect(await take(texts)).toEqual({ jsonrpc: '3.0', stream: { id: 1 }, result: 'End' })
    // All pieces together are twenty megabytes.
    expect(kept).toBeLessThan(8e6)
  })
})

verifies('C-6.1', { ways: ['http'] }, async (cell) => {
  await onStage(cell, async ({ gateway, puppet }) => {
    const [url = ''] = gateway.urls
    const plain = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const agree = request({ method: 'rpc.extensions', params: { extensions: [] }, id: 'agree' })
    const agreed = await fetch(url, { method: 'POST', headers: plain, body: agree })
    const headers = { ...plain, 'mcp-session-id': agreed.headers.get('mcp-session-id') ?? '' }
    const body = request({ method: 'play.stream', id: 1, options: { stream: true } })
    const reading = readUntilCut(url, { method: 'POST', headers, body }, 5)
    const call = await untilCall(puppet, 0)
    const production = { made: 0 }
    const produce = async (to: number): Promise<void> => {
      while (production.made < to) {
        // oxlint-disable no-await-in-loop
        await call.exchange.chunk((production.made += 1))
        if (production.made % 50 === 0) await nextTurn()
        // oxlint-enable no-await-in-loop
      }
    }
    await produce(5)
    const { lastId = '', events } = await reading
    // Three times as many as are kept, while nobody reads.
    const producing = produce(3_000).then(() => call.finish('End'))
    await untilStanding(production)
    const resumed = { ...headers, 'last-event-id': lastId }
    const rest = await readUntilCut(gateway.urls.at(-1) ?? '', { method: 'GET', headers: resumed }, Infinity)
    await producing
    const received = [...events, ...rest.events].map(({ message }) => message)
    expect(received.map(({ stream }) => (stream as JsonObject)['data'])).toEqual([
      ...Array.from({ length: 3_000 }, (_, index) => index + 1),
      undefined,
    ])
    expect(received.at(-1)).toMatchObject({ result: 'End' })
  })
})

verifies('C-4.2', { ways: ['stdio', 'bus'] }, async (cell) => {
  await whileCounting(cell, async ({ wire, production }) => {
    const texts = await wire.ask(request({ method: 'count', params: [1e9], id: 1 }))
    expect(JSON.parse(String((await texts.next()).value))).toMatchObject({ id: 1, error: { code: -32_013 } })
    await eventually(() => expect(production.stopped).toBe(true))
  })
})

verifies(['C-4.2.1', 'C-6.4'], {}, async (cell) => {
  const aborts = [
    { jsonrpc: '3.0', method: 'request.cancel', params: { stream: true, id: 1 } },
    { jsonrpc: '3.0', method: 'request.cancel', params: { stream: 1, abort: true } },
    { jsonrpc: '3.0', options: { stream: 1, abort: true } },
  ]
  for (const abort of aborts) {
    // oxlint-disable-next-line no-await-in-loop
    await whileCounting(cell, async ({ wire, production }) => {
      const texts = await wire.ask(count(1e9))
      await take(texts)
      const standing = await untilStanding(production)
      // Unknown ids abort nothing.
      await wire.say(
        JSON.stringify({ jsonrpc: '3.0', method: 'request.cancel', params: { stream: true, id: 'other' } }),
      )
      await wire.say(JSON.stringify(abort))
      // Over HTTP the answer has its own response; on an unread connection it comes when reading continues.
      if (cell.way === 'http') {
        await eventually(() => expect(production.stopped).toBe(true))
        expect(production.made - standing).toBeLessThanOrEqual(window)
      }
      // The pieces that were on their way arrive, then the end.
      let last = await take(texts)
      // oxlint-disable-next-line no-await-in-loop
      while (last.stream.data !== undefined) last = await take(texts)
      await eventually(() => expect(production.stopped).toBe(true))
      expect(production.made - production.madeAtAbort).toBeLessThanOrEqual(window)
      expect(last).toMatchObject({ stream: { id: 1 }, error: { code: -32800, title: 'Client Cancelled' } })
    })
  }
})
