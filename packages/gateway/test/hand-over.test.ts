import { expect, it } from 'vitest'
import type { Control, Fabric, Front, Session } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { mcpProfile, type Profile } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import type { GatewayLimits } from '../src/index.ts'
import { backendError } from '../src/shared/errors.ts'
import { type Faults, refused, withFaults } from './support/faulty-storage.ts'
import { post, Seen } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

// Sessions that wait for answers, when their home node leaves.

const queuing: Profile = { ...mcpProfile, delivery: 'queued' }
/** Longer than a test may take. */
const graceMs = 600_000
const sorted = (ids: readonly unknown[]): readonly unknown[] =>
  ids.toSorted((one, other) => Number(one) - Number(other))
/** Nodes whose tool answers when the test lets it, and a client whose session has the first node as its home. */
async function start(count = 3, through?: (fabric: Fabric) => Fabric, limits: Partial<GatewayLimits> = {}) {
  const gate = Promise.withResolvers<void>()
  const backends = Array.from({ length: count }, () => createTestBackend())
  const began: number[] = []
  for (const [node, { behaviour }] of backends.entries()) {
    behaviour.call = async (request, exchange: Exchange): Promise<Outcome> => {
      if (request.method === 'tools/call') {
        began.push(node)
        exchange.progress({ progress: 1 })
        await gate.promise
      }
      return { kind: 'complete', result: payloadOf({ content: [] }) }
    }
  }
  const nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry], 'default', queuing)]),
    limits,
    through,
  )
  const { gateways, names } = nodes
  const fronts = gateways.map(({ front }) => front)
  const ada = identityOf('ada', 'default', queuing)
  const client = await openClient(fronts[0] as Front, ada, {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  const at = async (node: number): Promise<Session> => (await fronts[node]?.session(client.session.id, ada)) as Session
  /** Sends a message of the session to a node. Resolves with the status. */
  const send = async (node: number, message: JsonObject): Promise<number | undefined> => {
    const sent = post(fronts[node] as Front, ada, await at(node), { jsonrpc: '2.0', ...message })
    await sent.seen.whole()
    return sent.statuses.at(-1)
  }
  const call = (node: number, id: number): Promise<number | undefined> =>
    send(node, { id, method: 'tools/call', params: { name: 'one__echo', arguments: {}, _meta: { progressToken: id } } })
  const places: string[] = []
  /** Reads the session's own stream on a node. The event ids go to `places`. */
  const read = async (node: number, after?: string): Promise<Seen> => {
    const seen = new Seen()
    const add = (text: string, last: boolean, eventId?: string): undefined => {
      seen.ended = last
      if (eventId !== undefined) places.push(eventId)
      seen.add(text)
    }
    fronts[node]?.resume(await at(node), after, { owner: undefined, resumable: true, open() {}, send: add })
    return seen
  }
  const leave = async (node: number): Promise<void> => {
    gateways[node]?.retire()
    await gateways[node]?.finishAccepted(graceMs)
    await gateways[node]?.drain(graceMs)
    await gateways[node]?.close()
  }
  const answers = (seen: Seen): readonly unknown[] => seen.all.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return {
    nodes,
    gateways,
    names,
    fronts,
    ada,
    client,
    at,
    send,
    call,
    read,
    leave,
    places,
    answers,
    began,
    gate,
    backends,
  }
}

it('hands a session over with its unread frames and its running work', async () => {
  const { names, at, call, read, leave, answers, began, gate } = await start(2)
  expect([await call(0, 1), await call(1, 2)]).toEqual([202, 202])
  await eventually(() => expect(began).toHaveLength(2))
  const left = leave(0)
  await eventually(async () => expect((await at(1)).home).toBe(names[1]))
  const seen = await read(1)
  gate.resolve()
  await eventually(() => expect(answers(seen)).toEqual(expect.arrayContaining([1, 2])))
  await left
  // Progress that was not read yet was handed over as well.
  const progress = seen.all.filter(({ method }) => method === 'notifications/progress')
  expect(progress).toHaveLength(2)
  expect(await call(1, 3)).toBe(202)
  await eventually(() => expect(answers(seen)).toContain(3))
  expect(answers(seen)).toHaveLength(3)
})

it('serves readers on the old home with the frames of the new one', async () => {
  const { names, at, call, read, answers, gateways, gate } = await start(2)
  gate.resolve()
  expect(await call(0, 1)).toBe(202)
  gateways[0]?.retire()
  await gateways[0]?.finishAccepted(graceMs)
  expect((await at(0)).home).toBe(names[1])
  expect(await call(0, 2)).toBe(202)
  const seen = await read(0)
  await eventually(() => expect(sorted(answers(seen))).toEqual([1, 2]))
})

it('ends the streams that are read on the old home, and continues after the last event', async () => {
  const { nodes, names, call, read, places, answers, gateways, gate } = await start(3)
  const first = await read(2)
  gate.resolve()
  expect(await call(0, 1)).toBe(202)
  await eventually(() => expect(answers(first)).toEqual([1]))
  gateways[0]?.retire()
  await gateways[0]?.finishAccepted(graceMs)
  await eventually(() => expect(first.ended).toBe(true))
  const place = places.at(-1) as string
  expect(place).toContain(names[0])
  await nodes.leave(0)
  const second = await read(2, place)
  expect(await call(2, 2)).toBe(202)
  await eventually(() => expect(answers(second)).toEqual([2]))
  // A reader without an event id gets the frames again that it may not have received.
  const third = await read(1)
  await eventually(() => expect(answers(third)).toEqual([2]))
})

it('is resumed on its new home when the old one leaves while it is asked for the stream', async () => {
  const asked: string[] = []
  let leaving: () => Promise<void> = async () => {}
  const { nodes, names, call, read, places, answers, gateways, gate } = await start(3, (fabric) => {
    const resume = fabric.call.bind(fabric)
    const slow = async (...[to, request, exchange]: Parameters<Fabric['call']>): Promise<Outcome> => {
      if (to.service === '$resume' && asked.push(to.node ?? '') === 2) await leaving()
      return resume(to, request, exchange)
    }
    return Object.assign(fabric, { call: slow })
  })
  const first = await read(2)
  gate.resolve()
  expect(await call(0, 1)).toBe(202)
  await eventually(() => expect(answers(first)).toEqual([1]))
  leaving = async () => {
    gateways[0]?.retire()
    await gateways[0]?.finishAccepted(graceMs)
    await nodes.leave(0)
  }
  const second = await read(2, places.at(-1))
  expect(await call(2, 2)).toBe(202)
  await eventually(() => expect(answers(second)).toEqual([2]))
  expect(second.all.filter(({ error }) => error !== undefined)).toEqual([])
  expect(asked[1]).toBe(names[0])
})

it('moves from node to node as they leave', async () => {
  const { names, at, call, read, leave, answers, gate } = await start(3)
  expect([await call(0, 1), await call(1, 2), await call(2, 3)]).toEqual([202, 202, 202])
  const left = leave(0)
  await eventually(async () => expect((await at(2)).home).not.toBe(names[0]))
  const next = names.indexOf((await at(2)).home)
  const stays = 3 - next
  const alsoLeft = leave(next)
  await eventually(async () => expect((await at(stays)).home).toBe(names[stays]))
  gate.resolve()
  await Promise.all([left, alsoLeft])
  const seen = await read(stays)
  await eventually(() => expect(sorted(answers(seen))).toEqual([1, 2, 3]))
})

it('continues although its new home was not announced: a node that needs it searches', async () => {
  const faults: Faults = new Map()
  const { nodes, names, at, call, read, leave, answers, began, gate } = await start(3, (fabric) => {
    const send = fabric.send.bind(fabric)
    const isLost = ({ kind }: Control): boolean => faults.size > 0 && kind === 'session-moved'
    const deaf = { send: async (node: string, control: Control) => isLost(control) || send(node, control) }
    return withFaults(Object.assign(fabric, deaf), faults)
  })
  expect(await call(0, 1)).toBe(202)
  await eventually(() => expect(began).toHaveLength(1))
  expect([(await at(1)).home, (await at(2)).home]).toEqual([names[0], names[0]])
  faults.set('sessions', refused)
  const left = leave(0)
  await eventually(async () => expect((await at(0)).home).not.toBe(names[0]))
  const next = names.indexOf((await at(0)).home)
  const other = 3 - next
  await nodes.leave(0)
  await eventually(async () => expect((await at(other)).home).toBe(names[next]))
  faults.clear()
  expect(await call(other, 2)).toBe(202)
  gate.resolve()
  const seen = await read(other)
  await eventually(() => expect(sorted(answers(seen))).toEqual([1, 2]))
  await left
})

it.each([
  ['', {}],
  [', at a node that has room for no other', { sessions: 1 }],
])(
  'is handed over once more when it is unknown whether a node adopted it, with later frames%s',
  async (_where, limits) => {
    const lost: string[] = []
    let release = (): void => {}
    const { call, read, leave, answers, gate } = await start(
      2,
      (fabric) => {
        const [send, bring] = [fabric.send.bind(fabric), fabric.call.bind(fabric)]
        return Object.assign(fabric, {
          send: async (node: string, control: Control) => control.kind === 'session-left' || send(node, control),
          call: async (...[to, request, exchange]: Parameters<Fabric['call']>): Promise<Outcome> => {
            const outcome = await bring(to, request, exchange)
            const { session } = exchange.context
            if (to.service !== '$adopt' || session === undefined || lost.push(session) > 1) return outcome
            release()
            return { kind: 'error', error: backendError(exchange.context, 'backend_exited') }
          },
        })
      },
      limits,
    )
    release = () => gate.resolve()
    expect(await call(0, 1)).toBe(202)
    await leave(0)
    expect(lost).toHaveLength(2)
    const seen = await read(1)
    await eventually(() => expect(answers(seen)).toEqual([1]))
  },
)

it('keeps its log level and its subscriptions', async () => {
  const { client, call, leave, names, at, backends, gate } = await start(2)
  for (const { behaviour } of backends) {
    behaviour.server = { ...behaviour.server, capabilities: { ...behaviour.server.capabilities, logging: {} } }
  }
  gate.resolve()
  expect(await call(0, 1)).toBe(202)
  // Over a transport without later answers.
  await client.request('logging/setLevel', { level: 'error' }).answer()
  await client.request('resources/subscribe', { uri: 'one+file:///a' }).answer()
  await leave(0)
  expect((await at(1)).home).toBe(names[1])
  expect(await call(1, 2)).toBe(202)
  const asked = (): unknown[] =>
    backends[1]?.links.flatMap(({ requests }) => requests.map(({ method, params }) => [method, params?.value()])) ?? []
  await eventually(() => {
    expect(asked()).toContainEqual(['resources/subscribe', { uri: 'file:///a' }])
    expect(asked()).toContainEqual(['logging/setLevel', { level: 'error' }])
  })
})

it('keeps no link at a node that has adopted it without its old home learning of that', async () => {
  const { client, call, gateways, at, backends, gate } = await start(2, (fabric) => {
    const bring = fabric.call.bind(fabric)
    const silent = async (...[to, request, exchange]: Parameters<Fabric['call']>): Promise<Outcome> => {
      const outcome = await bring(to, request, exchange)
      if (to.service !== '$adopt' || exchange.context.session === undefined) return outcome
      await eventually(() => expect(backends[1]?.open).toHaveLength(1))
      return { kind: 'error', error: backendError(exchange.context, 'backend_exited') }
    }
    return Object.assign(fabric, { call: silent })
  })
  gate.resolve()
  expect(await call(0, 1)).toBe(202)
  await client.request('resources/subscribe', { uri: 'one+file:///a' }).answer()
  await gateways[0]?.finishAccepted(100)
  expect((await at(0)).home).toBe((await at(1)).home)
  await eventually(() => expect(backends[1]?.open).toEqual([]))
  expect(gateways[1]?.gauges().sessions).toEqual({})
})

it('ends on all nodes when it is ended on another node with queued work', async () => {
  const { fronts, at, call, leave, gate } = await start(2)
  expect(await call(0, 1)).toBe(202)
  await fronts[1]?.end(await at(1), 'session_ended')
  gate.resolve()
  await leave(0)
  expect(await at(1)).toBeUndefined()
})

it('a session that waits for no answers ends with its home', async () => {
  const { at, leave } = await start(2)
  expect(await at(1)).toBeDefined()
  await leave(0)
  expect(await at(1)).toBeUndefined()
})

it('does not wait for the home of other sessions that died without a message', async () => {
  const { nodes, call, leave, began } = await start()
  await Promise.all([1, 2, 3, 4, 5, 6].map((id) => call(0, id)))
  await eventually(() => expect(began).toHaveLength(6))
  await nodes.leave(0)
  // The jobs of those sessions have ended for this node, and their answers have no receiver.
  await leave(1)
})

it('the only node accepts nothing more, runs its queued jobs, and waits until the answers are read', async () => {
  const { call, read, leave, answers, began, gate } = await start(1)
  expect(await call(0, 1)).toBe(202)
  const seen = await read(0)
  const left = leave(0)
  await eventually(async () => expect(await call(0, 2)).toBe(503))
  gate.resolve()
  await left
  expect(answers(seen)).toEqual([1])
  expect(began).toEqual([0])
})
