import {
  createPeer,
  isJsonObject,
  type JsonObject,
  memberOf,
  parseFrame,
  payloadOf,
  type Peer,
  printMessage,
} from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { type BusChannel, openBusChannel } from '../src/bus-channel.ts'
import type { BusUnderTest } from '../src/gateway-under-test.ts'
import { onStage, request, untilCall } from '../src/json-rpc-3/on-stage.ts'
import { verifies } from '../src/verifies.ts'

// Streams that continue on another subject of the bus: the extension `pubsub` of JSON-RPC 3.0.

/** A client that has negotiated the extension, and follows its streams. */
interface Follower {
  readonly peer: Peer
  readonly channel: BusChannel
  /** The messages on its own channel, and those on the subjects of its streams. */
  readonly here: readonly JsonObject[]
  readonly there: readonly JsonObject[]
  /** The `ack.stream` of each stream. */
  readonly places: readonly JsonObject[]
  /** Requests a stream, and subscribes to the subject where it continues. */
  readonly stream: () => ReturnType<Peer['stream']>
}

async function openFollower(bus: BusUnderTest): Promise<Follower> {
  const channel = await openBusChannel(bus)
  const [here, there, places]: [JsonObject[], JsonObject[], JsonObject[]] = [[], [], []]
  const peer = createPeer({
    dialect: '3.0',
    handler: { request() {}, notification() {} },
    send: (message) => Promise.resolve(channel.send(printMessage(message, { nullId: true }))),
  })
  const feed = async (texts: AsyncGenerator<string>, received: JsonObject[]): Promise<void> => {
    for await (const text of texts) {
      received.push(JSON.parse(text) as JsonObject)
      const frame = parseFrame(text)
      if (frame.kind === 'message') await peer.receive(frame.message)
    }
  }
  void feed(channel.texts, here)
  onTestFinished(() => {
    peer.close(new Error('The test is over'))
    return channel.close()
  })
  const agreed = await peer.request('rpc.extensions', payloadOf({ extensions: ['pubsub', 'abort'] }))
  expect(agreed).toMatchObject({ kind: 'result' })
  here.length = 0
  return {
    peer,
    channel,
    here,
    there,
    places,
    stream: () =>
      peer.stream('play.stream', payloadOf({}), {
        acknowledged({ info }) {
          const place = memberOf(info?.value(), 'stream')
          if (!isJsonObject(place)) return
          places.push(place)
          const { topic } = place['pubServer'] as { topic: string }
          void feed(channel.at(topic), there)
        },
      }),
  }
}

verifies('C-6.5', { ways: ['bus'] }, async (cell) => {
  await onStage(cell, async ({ gateway, puppet }) => {
    const bus = gateway.bus as BusUnderTest
    const [one, other] = [await openFollower(bus), await openFollower(bus)]
    const stream = one.stream()
    const call = await untilCall(puppet, 0)
    const count = 500
    for (let piece = 0; piece < count; piece += 1) await call.exchange.chunk(piece)
    call.finish('End')
    const pieces: unknown[] = []
    for await (const piece of stream) pieces.push(piece.value())
    expect(pieces).toEqual(Array.from({ length: count }, (_, piece) => piece))
    expect(await stream.response).toMatchObject({ kind: 'result', stream: true })

    const [place] = one.places
    const { id, pubServer } = place as { id: string; pubServer: JsonObject }
    expect(pubServer).toEqual({
      conn: bus.server.replace('nats://', ''),
      topic: `mcp.v1.${bus.cluster}.default.wire.out.${id}`,
    })
    expect(one.here).toEqual([{ jsonrpc: '3.0', ack: { id: expect.anything(), stream: place } }])
    expect(one.there).toHaveLength(count + 1)
    expect(one.there.every((frame) => (frame['stream'] as JsonObject)['id'] === id)).toBe(true)
    expect([...other.here, ...other.there]).toEqual([])
  })
})

verifies(['C-6.5', 'C-6.4'], { ways: ['bus'] }, async (cell) => {
  await onStage(cell, async ({ gateway, puppet }) => {
    const one = await openFollower(gateway.bus as BusUnderTest)
    const aborts: readonly ((id: string, own: unknown) => JsonObject)[] = [
      (id) => ({ options: { stream: id, abort: true } }),
      (id) => ({ method: 'request.cancel', params: { stream: id, abort: true } }),
      (_id, own) => ({ method: 'request.cancel', params: { stream: true, id: own as string } }),
    ]
    for (const [index, abort] of aborts.entries()) {
      // oxlint-disable-next-line no-await-in-loop
      await aborted(index, abort)
    }

    async function aborted(index: number, abort: (typeof aborts)[number]): Promise<void> {
      const stream = one.stream()
      const call = await untilCall(puppet, index)
      await call.exchange.chunk('first')
      await stream.next()
      const place = one.places[index] as { id: string }
      const { ack } = one.here.at(-1) as { ack: JsonObject }
      one.channel.send(request(abort(place.id, ack['id'])))
      await expect(stream.response).resolves.toMatchObject({ kind: 'error', error: { code: -32800 } })
      await eventually(() => expect(call.exchange.signal.aborted).toBe(true))
      expect(one.there.at(-1)).toMatchObject({ stream: { id: place.id }, error: { code: -32800 } })
    }
  })
})

verifies('C-6.5', { ways: ['bus'] }, async (cell) => {
  await onStage(cell, async ({ gateway, puppet }) => {
    const channel = await openBusChannel(gateway.bus as BusUnderTest)
    onTestFinished(() => channel.close())
    const received = async (): Promise<JsonObject> =>
      JSON.parse((await channel.texts.next()).value as string) as JsonObject
    channel.send(request({ method: 'rpc.extensions', params: { extensions: ['pubsub'] }, id: 'begin' }))
    await received()
    // A client that never subscribes to its streams. Each is answered before the next one begins.
    const placed: boolean[] = []
    for (let id = 0; id < 100; id += 1) {
      channel.send(request({ method: 'play.stream', params: {}, id, options: { stream: true } }))
      // oxlint-disable-next-line no-await-in-loop
      const call = await untilCall(puppet, id)
      call.finish('End')
      // oxlint-disable-next-line no-await-in-loop
      placed.push('ack' in (await received()))
    }
    expect(placed.slice(0, 64)).not.toContain(false)
    expect(placed).toContain(false)
  })
})

verifies('C-6.5', {}, async (cell) => {
  await onStage(cell, async ({ say }) => {
    const asked = request({ method: 'rpc.extensions', params: { extensions: ['pubsub'] }, id: 1 })
    const extensions = cell.way === 'bus' ? ['pubsub'] : []
    expect(await say([asked], 1)).toMatchObject([{ result: { extensions } }])
  })
})
