import type { JsonObject } from '@junctor/jsonrpc'
import { describe, expect } from 'vitest'
import { readUntilCut, type WholeEvent } from '../src/cut-stream.ts'
import { startGateway } from '../src/gateway-under-test.ts'
import { demo } from '../src/in-gateway.ts'
import { natsTest } from '../src/nats-test.ts'
import { resultOf, textOf } from '../src/result-of.ts'
import { type AtNode, openSessionAtNodes } from '../src/session-at-nodes.ts'

// Connections that are reset repeatedly, and resumed each time on another of three gateways.

const steps = 200
const talk = (id: string): string => {
  const params = { name: 'demo__progress', arguments: { steps, delayMs: 1 }, _meta: { progressToken: id } }
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
}

interface Scene {
  readonly urls: readonly string[]
  readonly nodes: readonly AtNode[]
  readonly headers: Readonly<Record<string, string>>
}

async function atThree(nats: string | undefined, limits: object, body: (scene: Scene) => Promise<void>): Promise<void> {
  const gateway = await startGateway({ nodes: 3, nats, config: { backends: { demo: demo() }, limits } })
  const session = await openSessionAtNodes(gateway.urls)
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-session-id': session.id,
    'mcp-protocol-version': '2025-11-25',
  }
  try {
    await body({ urls: gateway.urls, nodes: session.nodes, headers })
  } finally {
    await session.close()
    await gateway.close()
  }
}

/** Continues to read after the position of the last cut, on one node after the other, until all was received. */
async function readOn(
  { urls, headers }: Scene,
  from: { readonly node: number; readonly lastId: string },
  isEnough: (events: readonly WholeEvent[]) => boolean,
): Promise<readonly WholeEvent[]> {
  const events: WholeEvent[] = []
  let { node, lastId } = from
  for (let turn = 1; !isEnough(events); turn += 1) {
    node = (node + 1) % urls.length
    const resumed = { method: 'GET', headers: { ...headers, 'last-event-id': lastId } } as const
    // oxlint-disable-next-line no-await-in-loop
    const read = await readUntilCut(urls[node] ?? '', resumed, 1 + ((turn * 7) % 23))
    expect(read.status).toBe(200)
    events.push(...read.events)
    lastId = read.lastId ?? lastId
  }
  return events
}

const numberOf = ({ id }: WholeEvent): number => Number(id.split(':')[1])
const progressOf = ({ message: { params } }: WholeEvent): unknown => (params as JsonObject | undefined)?.['progress']
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

describe.each(['NATS', 'memory'])('streams that are cut, on %s', (fabric) => {
  const server = (nats: { readonly url: string }): string | undefined => (fabric === 'NATS' ? nats.url : undefined)

  natsTest('an answer is read on without a gap, without anything twice, in order', async ({ nats }) => {
    await atThree(server(nats), {}, async (scene) => {
      for (const node of [0, 1]) {
        const posted = { method: 'POST', headers: scene.headers, body: talk(`talk ${node}`) } as const
        // oxlint-disable no-await-in-loop
        const first = await readUntilCut(scene.urls[node] ?? '', posted, 3)
        const isAnswer = (event: WholeEvent | undefined): boolean => event?.message['id'] === `talk ${node}`
        const rest = await readOn(scene, { node, lastId: first.lastId ?? '' }, (events) => isAnswer(events.at(-1)))
        // oxlint-enable no-await-in-loop
        const events = [...first.events, ...rest]
        expect(events.map(numberOf)).toEqual(upTo(steps + 1))
        expect(events.slice(0, -1).map(progressOf)).toEqual(upTo(steps))
        // The client was disconnected most of the time, which did not cancel the call.
        expect(textOf(events.at(-1)?.message ?? {})).toBe(`Took ${steps} steps`)
      }
    })
  })

  natsTest("a session's own stream is read on just so", async ({ nats }) => {
    await atThree(server(nats), {}, async (scene) => {
      const [one, two] = scene.nodes as unknown as readonly [AtNode, AtNode]
      const { resources } = resultOf(await one.request('resources/list')) as { resources?: { uri: string }[] }
      const uri = resources?.find((resource) => resource.uri.includes('counter'))?.uri ?? ''
      await one.request('resources/subscribe', { uri })
      const tick = async (): Promise<void> =>
        void (await two.request('tools/call', { name: 'demo__tick', arguments: {} }))
      await tick()
      const opened = await readUntilCut(scene.urls[2] ?? '', { method: 'GET', headers: scene.headers }, 1)
      const read = new AbortController()
      const reading = readOn(scene, { node: 2, lastId: opened.lastId ?? '' }, (events) => events.length >= 60)
      void reading.finally(() => read.abort())
      while (!read.signal.aborted) {
        // oxlint-disable-next-line no-await-in-loop -- each may be the one that is waited for
        await tick()
      }
      const events = [...opened.events, ...(await reading)]
      expect(events.map(numberOf)).toEqual(upTo(events.length))
    })
  })

  natsTest('an event that is not kept any more is reported as unknown on every node', async ({ nats }) => {
    await atThree(server(nats), { streamEntries: 50 }, async (scene) => {
      const posted = { method: 'POST', headers: scene.headers, body: talk('talk') } as const
      const first = await readUntilCut(scene.urls[1] ?? '', posted, Infinity)
      expect(textOf(first.events.at(-1)?.message ?? {})).toBe(`Took ${steps} steps`)
      const [stream = ''] = (first.lastId ?? '').split(':')
      const resume = (node: number, number: number) =>
        readUntilCut(
          scene.urls[node] ?? '',
          { method: 'GET', headers: { ...scene.headers, 'last-event-id': `${stream}:${number}` } },
          Infinity,
        )
      for (const node of [0, 1, 2]) {
        // oxlint-disable no-await-in-loop
        const forgotten = await resume(node, 1)
        const kept = await resume(node, steps + 1 - 50)
        // oxlint-enable no-await-in-loop
        expect(forgotten.status).toBe(400)
        expect(JSON.parse(forgotten.body)).toMatchObject({
          error: { code: -32600, message: expect.stringContaining('Unknown event id') },
        })
        expect(kept.events.map(numberOf)).toEqual(upTo(steps + 1).slice(-50))
      }
    })
  })
})
