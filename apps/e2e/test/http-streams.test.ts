import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { handshakeRevisions } from '../src/cell.ts'
import type { HttpAnswer } from '../src/http-wire.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { readEvents, type ServerEvent } from '@junctor/testkit'
import { resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import type { HttpWireClient } from '../src/wire-client.ts'
import type { Received } from '../src/wire.ts'

const http = { ways: ['http'] } as const
const everyRevision = { ways: ['http'], revisions: handshakeRevisions } as const
const progressMethod = 'notifications/progress'
const updated = 'notifications/resources/updated'

/** A call that sends `steps` progress notifications before its answer. */
function talkative(id: string, steps = 3, delayMs = 1): JsonObject {
  const params = { name: 'demo__progress', arguments: { steps, delayMs }, _meta: { progressToken: id } }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

/** The id of the first matching event of a talkative call. */
async function eventIdOf(client: HttpWireClient, token: string, progress: number): Promise<string> {
  const { eventId = '' } = await client.until(({ message: { params } }) => {
    const sent = (params ?? {}) as JsonObject
    return sent['progressToken'] === token && sent['progress'] === progress
  })
  return eventId
}

/** The messages of a stream in short form: the progress of each notification, and the id of each response. */
function messagesOn(client: HttpWireClient, { stream }: Pick<HttpAnswer, 'stream'>): readonly unknown[] {
  return client.received.filter((received) => received.stream === stream).map(({ message }) => shown(message))
}

function shown({ method, params, id }: JsonObject): unknown {
  return method === progressMethod ? (params as JsonObject)['progress'] : (method ?? id)
}

/**
 * Subscribes to the demo's counter. The returned function makes it tick, and its session gets the update on its own
 * stream.
 */
async function subscribed(client: HttpWireClient): Promise<() => Promise<JsonObject>> {
  const { resources } = resultOf(await client.request('resources/list')) as { resources?: { uri: string }[] }
  const uri = resources?.find((resource) => resource.uri.includes('counter'))?.uri ?? ''
  await client.request('resources/subscribe', { uri })
  return () => client.request('tools/call', { name: 'demo__tick', arguments: {} })
}

const updatesOn = (client: HttpWireClient, stream: string): readonly Received[] =>
  client.received.filter((received) => received.stream === stream && received.message['method'] === updated)

verifies(['MCP-4.6', 'MCP-4.8'], everyRevision, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const answer = await one.post(talkative('call'))
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    await answer.ended
    expect(messagesOn(one, answer)).toEqual([1, 2, 3, 'call'])
    const plain = { name: 'demo__echo', arguments: { message: 'hi' } }
    const whole = await one.post({ jsonrpc: '2.0', id: 'plain', method: 'tools/call', params: plain })
    expect(whole.headers.get('content-type')).toBe('application/json')
  })
})

verifies('MCP-4.7', everyRevision, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http({ listens: false })
    const answer = await one.post(talkative('call', 4, 50))
    const lastEventId = await eventIdOf(one, 'call', 1)
    answer.drop()
    await answer.ended
    const rest = await one.get({ 'last-event-id': lastEventId })
    const { message } = await one.until(({ message: { id }, stream }) => id === 'call' && stream === rest.stream)
    expect(textOf(message)).toBe('Took 4 steps')
    await rest.ended
  })
})

verifies('MCP-4.9', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http({ listens: false })
    const own = await one.get()
    expect(own).toMatchObject({ status: 200 })
    expect(own.headers.get('content-type')).toBe('text/event-stream')
    const tick = await subscribed(one)
    await tick()
    await (
      await one.post(talkative('call'))
    ).ended
    await one.until(({ stream }) => stream === own.stream)
    expect(messagesOn(one, own)).toEqual([updated])
    expect(updatesOn(one, own.stream)).toHaveLength(1)
  })
})

verifies(['MCP-4.11', 'MCP-4.10'], http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http({ listens: false })
    const tick = await subscribed(one)
    const first = await one.get()
    const second = await one.get()
    const third = await one.get()
    await tick()
    await one.until(({ stream, message: { method } }) => method === updated && stream === third.stream)
    await tick()
    await expect.poll(() => updatesOn(one, third.stream).length).toBe(2)
    expect(updatesOn(one, second.stream)).toHaveLength(0)
    third.drop()
    await third.ended
    // Messages that are sent before the gateway notices the loss wait for a resume, so the tick is repeated.
    await expect.poll(() => tick().then(() => updatesOn(one, second.stream).length)).toBeGreaterThan(0)
    second.drop()
    await second.ended
    await expect.poll(() => tick().then(() => updatesOn(one, first.stream).length)).toBeGreaterThan(0)
    const ids = one.received.filter(({ message: { method } }) => method === updated).map(({ eventId }) => eventId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

verifies('MCP-4.12', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http({ listens: false })
    const tick = await subscribed(one)
    await tick()
    const own = await one.get()
    await one.until(({ message: { method } }) => method === updated)
    // A message that was sent on one stream is not repeated on the next.
    const next = await one.get()
    await tick()
    await one.until(({ stream }) => stream === next.stream)
    expect(messagesOn(one, own)).toEqual([updated])
    expect(messagesOn(one, next)).toEqual([updated])
  })
})

verifies(['MCP-4.13', 'MCP-4.10'], http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const tick = await subscribed(one)
    const calls = await Promise.all(['a', 'b', 'c', 'd'].map((id) => one.post(talkative(id))))
    await tick()
    await one.until(({ message: { method } }) => method === updated)
    await Promise.all(calls.map(({ ended }) => ended))
    const ids = one.received.flatMap(({ eventId }) => eventId ?? [])
    expect(ids).toHaveLength(4 * 4 + 1)
    expect(new Set(ids).size).toBe(ids.length)
    const replay = await one.get({ 'last-event-id': await eventIdOf(one, 'b', 1) })
    await replay.ended
    expect(messagesOn(one, replay)).toEqual([2, 3, 'b'])
    const tokens = one.received.flatMap(({ stream, message: { params } }) =>
      stream === replay.stream && params !== undefined ? [(params as JsonObject)['progressToken']] : [],
    )
    expect(tokens).toEqual(['b', 'b'])
  })
})

verifies('MCP-4.14', everyRevision, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http({ listens: false })
    const answer = await one.post(talkative('call', 5, 20))
    const lastEventId = await eventIdOf(one, 'call', 1)
    answer.drop()
    await answer.ended
    // Once on each of two nodes: one keeps the stream, the other forwards it.
    for (let count = 0; count < 2; count += 1) {
      const rest = await one.get({ 'last-event-id': lastEventId })
      await rest.ended
      expect(messagesOn(one, rest)).toEqual([2, 3, 4, 5, 'call'])
    }
    const last = one.received.findLast(({ message: { id } }) => id === 'call')
    const nothing = await one.get({ 'last-event-id': last?.eventId ?? '' })
    await nothing.ended
    expect(messagesOn(one, nothing)).toEqual([])
  })
})

verifies('MCP-4.14', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http({ listens: false })
    const tick = await subscribed(one)
    const own = await one.get()
    for (let count = 1; count <= 3; count += 1) {
      await tick()
      await expect.poll(() => updatesOn(one, own.stream).length).toBe(count)
    }
    const [first, second, third] = updatesOn(one, own.stream)
    own.drop()
    await own.ended
    for (let count = 0; count < 2; count += 1) {
      const rest = await one.get({ 'last-event-id': first?.eventId ?? '' })
      await expect.poll(() => updatesOn(one, rest.stream).length).toBe(2)
      expect(updatesOn(one, rest.stream).map(({ eventId }) => eventId)).toEqual([second?.eventId, third?.eventId])
      rest.drop()
      await rest.ended
    }
  })
})

/** The events of a response, as they were received. */
async function eventsOf(client: HttpWireClient, url: string, message: JsonObject): Promise<readonly ServerEvent[]> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': String(client.session),
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
  const events: ServerEvent[] = []
  for await (const event of readEvents(response)) events.push(event)
  return events
}

verifies(['MCP-4.15', 'MCP-4.16'], { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const url = scene.gateway.urls.at(-1) ?? ''
    const [priming, ...rest] = await eventsOf(one, url, talkative('call'))
    expect(priming).toMatchObject({ data: '', id: expect.stringMatching(/./), retry: expect.stringMatching(/^\d+$/) })
    expect(rest.map(({ data }) => shown(JSON.parse(data) as JsonObject))).toEqual([1, 2, 3, 'call'])
    // Its id is a valid position: the begin of the stream.
    const replay = await one.get({ 'last-event-id': priming?.id ?? '' })
    await replay.ended
    expect(messagesOn(one, replay)).toEqual([1, 2, 3, 'call'])
  })
})

verifies('MCP-4.16', { ways: ['http'], revisions: ['2025-11-25'] }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const { session } = await scene.http({ listens: false })
    const headers = { accept: 'text/event-stream', 'mcp-session-id': String(session) }
    const stream = await fetch(scene.gateway.urls.at(-1) ?? '', { headers })
    const [text] = await Promise.all([stream.text(), scene.gateway.close()])
    expect(text).toMatch(/\n\nretry: \d+\n\n$/)
  })
})

const before = handshakeRevisions.filter((revision) => revision !== '2025-11-25')

verifies('MCP-4.15', { ways: ['http'], revisions: before }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const events = await eventsOf(one, scene.gateway.urls.at(-1) ?? '', talkative('call'))
    expect(events.map(({ data }) => shown(JSON.parse(data) as JsonObject))).toEqual([1, 2, 3, 'call'])
  })
})

verifies('MCP-4.18', http, async (cell) => {
  const config = { limits: { streamEntries: 2 } }
  await inGateway(
    cell,
    { demo: demo() },
    async (scene) => {
      const [one, other] = [await scene.http(), await scene.http({ listens: false })]
      await (
        await one.post(talkative('call', 6))
      ).ended
      const forgotten = await eventIdOf(one, 'call', 1)
      const kept = await eventIdOf(one, 'call', 5)
      const [stream = ''] = kept.split(':')
      const strangers = ['unknown', '', `${stream}:99`, `${stream}:-1`, `${stream}x:1`, `zzzzzzzz${stream.slice(8)}:1`]
      for (const eventId of [...strangers, forgotten]) {
        for (let count = 0; count < cell.nodes; count += 1) {
          const { status } = await one.get({ 'last-event-id': eventId })
          expect({ eventId, status }).toEqual({ eventId, status: 400 })
        }
      }
      for (let count = 0; count < cell.nodes; count += 1) {
        expect((await other.get({ 'last-event-id': kept })).status).toBe(400)
        expect((await one.get({ 'last-event-id': kept })).status).toBe(200)
      }
    },
    { config },
  )
})

verifies('MCP-4.28', http, async (cell) => {
  const config = { limits: { streamKeepAlive: '40ms' } }
  await inGateway(
    cell,
    { demo: demo() },
    async (scene) => {
      const one = await scene.http()
      const streams = [await one.get(), await one.post(talkative('call'))]
      for (const { headers } of streams) {
        expect(headers.get('cache-control')).toContain('no-cache')
        expect(headers.get('cache-control')).toContain('no-transform')
        expect(headers.get('x-accel-buffering')).toBe('no')
        expect(headers.get('content-encoding')).toBeNull()
      }
      // A silent stream is kept alive, so that a proxy does not close it.
      for (const url of scene.gateway.urls) {
        const headers = { accept: 'text/event-stream', 'mcp-session-id': String(one.session) }
        const silent = await fetch(url, { headers })
        const comments: string[] = []
        for await (const chunk of silent.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          comments.push(...chunk.split('\n').filter((line) => line.startsWith(':')))
          if (comments.length >= 2) break
        }
        expect(comments.length).toBeGreaterThanOrEqual(2)
      }
    },
    { config },
  )
})
