import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Front, Origin, Session } from '@junctor/contracts'
import type { Sink, SinkOwner } from '@junctor/exchange'
import { type JsonObject, parseFrame } from '@junctor/jsonrpc'
import { createBackend, createMethod, createTool } from '@junctor/plugin-sdk'
import { backendDefaults } from '../src/index.ts'
import { post, three } from './support/json-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const ada = identityOf('ada')
/** The pieces that are kept for a slow reader before the producer has to wait. */
const window = 64

/** The progress of a node's producer. */
interface Production {
  made: number
  /** Whether the generator was made to return. */
  stopped: boolean
}

/** Two nodes with a method and a tool that count without ever waiting. */
async function start() {
  const productions: Production[] = []
  const nodes = await startNodes(
    [0, 1].map(() => {
      const production: Production = { made: 0, stopped: false }
      productions.push(production)
      async function* count(to: number): AsyncGenerator<number, string> {
        try {
          while (production.made < to) yield (production.made += 1)
          return 'done'
        } finally {
          production.stopped = true
        }
      }
      const backend = createBackend({
        name: 'one',
        methods: [createMethod({ name: 'count', handler: (params) => count((params as readonly [number])[0]) })],
        tools: [
          createTool({
            metadata: { name: 'tell', description: 'Tells a story', inputSchema: { type: 'object' } },
            async *handler() {
              yield 'Once '
              yield 'upon a time'
            },
          }),
        ],
      })
      return [tenantOf([{ ...backendDefaults, backend, prefix: 'one' }])]
    }),
  )
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  return { one, two, productions }
}

/** A client that reads some frames and then pauses, for one turn or until it continues. */
class SlowReader implements Sink {
  owner: SinkOwner | undefined
  readonly resumable = false
  readonly received: JsonObject[] = []
  readonly over: Promise<void>
  /** Frames between pauses. */
  readonly #pace: number
  /** Called with each frame. */
  readonly #received: (reader: SlowReader) => void
  #end: () => void = () => {}

  constructor(pace: number, received: (reader: SlowReader) => void) {
    this.#pace = pace
    this.#received = received
    this.over = new Promise((resolve) => (this.#end = resolve))
  }

  open(): void {}

  send(text: string, last: boolean): Promise<void> | undefined {
    this.received.push(JSON.parse(text) as JsonObject)
    this.#received(this)
    if (last) this.#end()
    return this.received.length % this.#pace === 0 ? nextTurn() : undefined
  }
}

function send(front: Front, session: Session | undefined, message: JsonObject, sink: Sink): void {
  const frame = parseFrame(JSON.stringify(message))
  if (frame.kind !== 'message') throw new Error('not a message')
  const origin: Origin = { transport: 'websocket', identity: ada, session, revision: undefined, dialect: '2.0' }
  void front.receive(frame.message, origin, sink)
}

/** A session whose home is `one`, as both nodes serve it. */
async function open(one: Front, two: Front): Promise<readonly [Session, Session]> {
  const { origin, seen } = post(one, ada, undefined, three({ method: 'rpc.extensions', id: 'open' }))
  await seen.whole()
  const home = origin.session as Session
  return [home, (await two.session(home.id, ada)) as Session]
}

const counting = (to: number): JsonObject => three({ method: 'count', params: [to], id: 1, options: { stream: true } })

describe.each(['at home', 'at the other node'] as const)('a stream that is read %s', (where) => {
  async function startReading() {
    const { one, two, productions } = await start()
    const [home, visiting] = await open(one, two)
    const [front, session] = where === 'at home' ? [one, home] : [two, visiting]
    return { front, session, production: productions[0] as Production }
  }

  it('by a slow reader is complete and in order, and is not produced far ahead', async () => {
    const { front, session, production } = await startReading()
    const count = 20_000
    let ahead = 0
    const reader = new SlowReader(10, ({ received }) => {
      ahead = Math.max(ahead, production.made - received.length)
    })
    send(front, session, counting(count), reader)
    await reader.over
    const chunks = Array.from({ length: count }, (_, index) => three({ stream: { id: 1, data: index + 1 } }))
    expect(reader.received).toEqual([...chunks, three({ stream: { id: 1 }, result: 'done' })])
    expect(ahead).toBeLessThanOrEqual(where === 'at home' ? window : 2 * window)
  })

  it.each([
    ['slow', 10],
    ['fast', 1e9],
  ])(
    'is made to stop when its client cancels, though that is %s: at most one window is still made',
    async (_, pace) => {
      const { front, session, production } = await startReading()
      let before: number | undefined
      const cancel = (): void => {
        before = production.made
        send(front, session, three({ method: 'request.cancel', params: { stream: 1, abort: true } }), reader)
      }
      const reader = new SlowReader(pace, ({ received }) => void (received.length === 1000 && setImmediate(cancel)))
      send(front, session, counting(1e9), reader)
      await reader.over
      expect(reader.received.at(-1)).toMatchObject({ stream: { id: 1 }, error: { code: -32_800 } })
      await expect.poll(() => production.stopped).toBe(true)
      expect(production.made - (before ?? 0)).toBeLessThanOrEqual(window)
    },
  )
})

it('a tool that is a generator streams to clients that want it, and has a complete result for others', async () => {
  const { one } = await start()
  const call = { method: 'tools/call', params: { name: 'one__tell' }, id: 1 }
  expect(await post(one, ada, undefined, three({ ...call, options: { stream: true } })).seen.whole()).toEqual([
    three({ stream: { id: 1, data: 'Once ' } }),
    three({ stream: { id: 1, data: 'upon a time' } }),
    three({ stream: { id: 1 }, result: { content: [] } }),
  ])
  expect(await post(one, ada, undefined, three(call)).seen.whole()).toEqual([
    three({ id: 1, result: { content: [{ type: 'text', text: 'Once upon a time' }] } }),
  ])
})
