import { setImmediate } from 'node:timers/promises'
import type { Origin } from '@junctor/contracts'
import type { EndReason, Exchange, Outcome, Sink, SinkOwner } from '@junctor/exchange'
import { type JsonObject, type JsonValue, payloadOf, requestId } from '@junctor/jsonrpc'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { BackendEntry, Gateway } from '../src/index.ts'
import { createTestBackend, type TestBackend, testServer } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

// A call ends from outside in each of the states that it can be in: it is never started after that, or its backend learns
// of the end.

const complete: Outcome = { kind: 'complete', result: payloadOf({}) }
const target: JsonObject = { name: 'one__echo', arguments: { target: true } }
const other: JsonObject = { name: 'one__echo' }
const prefix = 'io.modelcontextprotocol/'
const capabilities = { elicitation: {} }
const stateless: JsonObject = {
  ...target,
  _meta: { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: capabilities },
}

/** What a test needs to bring a call into a state, and out of it again. */
interface Stage {
  readonly backend: TestBackend
  /** What the backend waits for before it opens a link. */
  readonly opening: PromiseWithResolvers<void>
  /** Ends the calls that are not the target. */
  readonly others: PromiseWithResolvers<Outcome>
  /** Calls the backend in another session. */
  readonly callElsewhere: () => Promise<unknown>
}

interface State {
  readonly entry?: Partial<BackendEntry>
  /** Whether the backend has got the call in this state. */
  readonly isPlaced?: true
  /** Whether its time stands still in this state, or has not begun: the start of a process does not count. */
  readonly isTimeless?: true
  /** Called before the call is sent. */
  readonly prepare: (stage: Stage) => Promise<void>
  /** Whether the call is in the state. */
  readonly holds: (stage: Stage, placed: readonly Exchange[]) => boolean
  /** Lets everything go on that waits. */
  readonly release: (stage: Stage) => void
}

const openSlowly = ({ backend, opening }: Stage): void => void (backend.behaviour.opening = () => opening.promise)

/** The call waits until the call of another session has ended. */
const behindAnother: Pick<State, 'prepare' | 'holds' | 'release'> = {
  async prepare({ backend, others, callElsewhere }) {
    await callElsewhere()
    backend.behaviour.call = () => others.promise
    void callElsewhere()
  },
  holds: ({ backend }) => backend.links.some(({ requests }) => requests.length > 1),
  release: ({ others }) => others.resolve(complete),
}

const states: Readonly<Record<string, State>> = {
  'waits for the lists of its backend': {
    async prepare(stage) {
      stage.backend.behaviour.opening = () => stage.opening.promise
    },
    holds: () => true,
    release: ({ opening }) => opening.resolve(),
  },
  'waits for its link': {
    isTimeless: true,
    async prepare(stage) {
      await stage.callElsewhere()
      openSlowly(stage)
    },
    holds: () => true,
    release: ({ opening }) => opening.resolve(),
  },
  'waits for a permit': {
    entry: { maxLinks: 1 },
    ...behindAnother,
  },
  'waits for its turn': {
    entry: { concurrency: 1 },
    ...behindAnother,
  },
  runs: {
    isPlaced: true,
    async prepare() {},
    holds: (_, placed) => placed.length === 1,
    release() {},
  },
  'waits for an answer of its client': {
    isPlaced: true,
    isTimeless: true,
    async prepare({ backend }) {
      // Without a session, the answer of a request takes its questions along 5 ms after the first.
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const { call } = backend.behaviour
      backend.behaviour.call = (request, exchange) => {
        const outcome = call(request, exchange)
        const message = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
        void exchange.ask({ method: 'elicitation/create', params: payloadOf(message) })
        return outcome
      }
    },
    holds: (_, placed) => placed.length === 1,
    release: () => void vi.useRealTimers(),
  },
}

/** A call that was sent, and how its client can end it. */
interface Sent {
  readonly answered: Promise<unknown>
  readonly end: () => unknown
}

interface Way {
  readonly reason: EndReason
  readonly timeoutMs?: number
  readonly send: (gateway: Gateway) => Promise<Sent>
}

const answerLater = { promise: new Promise<never>(() => {}) }

/** Sends a request of 2026-07-28 on a connection. `leave` closes the stream of its answer. */
function sendStateless(gateway: Gateway, id: string | number) {
  const identity = identityOf()
  const origin: Origin = { transport: 'http', identity, session: undefined, revision: undefined, dialect: '2.0' }
  const done = Promise.withResolvers<void>()
  let owner: SinkOwner | undefined
  const sink: Sink = {
    get owner() {
      return owner
    },
    set owner(given) {
      owner = given
    },
    resumable: false,
    open() {},
    send: (_, last) => (last && done.resolve(), undefined),
  }
  const request = { kind: 'request', dialect: '2.0', id: requestId(id), method: 'tools/call' } as const
  void gateway.front.receive({ ...request, params: payloadOf(stateless) }, origin, sink)
  const notify = (method: string, params: JsonValue): void => {
    const quiet: Sink = { owner: undefined, resumable: false, open() {}, send: () => undefined }
    void gateway.front.receive(
      { kind: 'notification', dialect: '2.0', method, params: payloadOf(params) },
      origin,
      quiet,
    )
  }
  return { answered: done.promise, leave: () => owner?.lost(), notify }
}

async function sendInSession(gateway: Gateway, id: string | number) {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {}, roots: {} },
    clientInfo: { name: 'test', version: '1' },
  }
  const client = await openClient(gateway.front, identityOf(), params)
  return { client, answered: client.request('tools/call', target, id).answer() }
}

const ways: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(
    ['text', 7, 0, ''].flatMap((id): [string, Way][] => [
      [
        `a cancellation of ${JSON.stringify(id)} in a session`,
        {
          reason: 'cancelled',
          async send(gateway) {
            const { client, answered } = await sendInSession(gateway, id)
            return { answered, end: () => client.notify('notifications/cancelled', { requestId: id }) }
          },
        },
      ],
      [
        `a cancellation of ${JSON.stringify(id)} without a session`,
        {
          reason: 'cancelled',
          async send(gateway) {
            const { answered, notify } = sendStateless(gateway, id)
            return { answered, end: () => notify('notifications/cancelled', { requestId: id }) }
          },
        },
      ],
    ]),
  ),
  'the end of its session': {
    reason: 'session_ended',
    async send(gateway) {
      const { client, answered } = await sendInSession(gateway, 1)
      return { answered, end: () => gateway.front.end(client.session, 'session_ended') }
    },
  },
  'its deadline in a session': {
    reason: 'deadline',
    timeoutMs: 150,
    async send(gateway) {
      const { answered } = await sendInSession(gateway, 1)
      return { answered, end: () => answered }
    },
  },
  'its deadline without a session': {
    reason: 'deadline',
    timeoutMs: 150,
    async send(gateway) {
      const { answered } = sendStateless(gateway, 1)
      return { answered, end: () => answered }
    },
  },
  'a closed stream': {
    reason: 'disconnected',
    async send(gateway) {
      const { leave } = sendStateless(gateway, 1)
      return { ...answerLater, answered: answerLater.promise, end: leave }
    },
  },
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
}

describe.each(Object.entries(states))('a call that %s', (_, state) => {
  const possible = Object.entries(ways).filter(([, { reason }]) => reason !== 'deadline' || state.isTimeless !== true)

  it.each(possible)('is ended by %s', async (_name, way) => {
    const timeoutMs = way.timeoutMs ?? 30_000
    const backend = createTestBackend({ timeoutMs, ...state.entry }, { correlates: false })
    backend.behaviour.server = { ...testServer, capabilities: { tools: { listChanged: true } } }
    const placed: Exchange[] = []
    const others = Promise.withResolvers<Outcome>()
    backend.behaviour.call = (request, exchange) => {
      if (JSON.stringify(request.params?.value()).includes('target')) placed.push(exchange)
      return exchange === placed[0] ? new Promise(() => {}) : complete
    }
    const place = backend.behaviour.call
    // A call of another backend may take longer.
    const patient = createTestBackend({ prefix: 'patient' }, { name: 'patient' })
    const nodes = await startNodes([[tenantOf([backend.entry, patient.entry])]], { startWaitMs: 20 })
    const gateway = nodes.gateways[0] as Gateway
    let elsewhere: Awaited<ReturnType<typeof openClient>> | undefined
    const stage: Stage = {
      backend,
      opening: Promise.withResolvers(),
      others,
      async callElsewhere() {
        elsewhere ??= await openClient(gateway.front, identityOf())
        return await elsewhere.request('tools/call', other).answer()
      },
    }
    await state.prepare(stage)
    const { end } = await way.send(gateway)
    await expect.poll(() => state.holds(stage, placed), { interval: 1 }).toBe(true)
    await turns()
    await end()
    await turns()
    backend.behaviour.call = place
    state.release(stage)
    await turns()
    // The backend works for others afterwards.
    expect(await stage.callElsewhere()).toHaveProperty('result')
    await turns()
    expect(placed.map(({ ended }) => ended)).toEqual(state.isPlaced === true ? [way.reason] : [])
  })
})

it('a call gets an error when its tenant is gone at the node that it came to, which is not its home', async () => {
  const backends = [createTestBackend(), createTestBackend()]
  const placed = Promise.withResolvers<Exchange>()
  for (const { behaviour } of backends) {
    behaviour.call = (_request, exchange) => (placed.resolve(exchange), new Promise(() => {}))
  }
  const nodes = await startNodes(backends.map(({ entry }) => [tenantOf([entry])]))
  const [home, visited] = nodes.gateways as [Gateway, Gateway]
  const client = await (await openClient(home.front, identityOf())).at(visited.front)
  const answer = client.request('tools/call', other).answer()
  const { ended } = await placed.promise
  expect(ended).toBeUndefined()
  // Its home may follow later.
  await visited.update([])
  expect(await answer).toMatchObject({ error: { data: { reason: 'backend_exited', retryable: false } } })
})
