import type { SideStream } from '@junctor/connection'
import { createSampleFront, eventually } from '@junctor/testkit'
import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { Channel, type ChannelEnd } from '../src/channel.ts'
import { createNatsFront } from '../src/front/index.ts'
import { SideStreams } from '../src/front/side-streams.ts'
import { clientSubjects } from '../src/client-subjects.ts'
import { defaultFrontLimits } from '../src/options.ts'
import { busFixture } from './bus-fixture.ts'
import { join } from './raw-client.ts'

const bus = busFixture()

const subjects = clientSubjects('test', 'default', 'me')

/** Subscribes as a client does, and answers marks. */
async function follow(topic: string): Promise<string[]> {
  const texts: string[] = []
  const client = await connect({ servers: bus.nats.url })
  onTestFinished(() => client.close())
  client.subscribe(topic, {
    callback(_error, { data, reply = '', headers }) {
      const goodbye = headers?.get('Junctor-Close') ?? ''
      if (data.length > 0) texts.push(new TextDecoder().decode(data))
      else if (goodbye !== '') texts.push(goodbye)
      else client.publish(reply)
    },
  })
  await client.flush()
  return texts
}

const failed = expect.unreachable

test('messages to a client that does not subscribe yet are buffered, the close included', async () => {
  let lost = 0
  const streams = new SideStreams({ connection: bus.connection, subjects, limits: defaultFrontLimits, failed })
  const side = streams.open(() => (lost += 1)) as SideStream
  const waits = side.send('one')
  void side.send('two')
  side.close()
  // The channel has looked for the client, and not found it.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(lost).toBe(0)
  const texts = await follow(subjects.out(side.stream))
  await waits
  await eventually(() => expect(texts).toEqual(['one', 'two', 'done']))
})

test('when the client is gone, buffered messages are dropped', async () => {
  let lost = 0
  const streams = new SideStreams({ connection: bus.connection, subjects, limits: defaultFrontLimits, failed })
  const waits = streams.open(() => (lost += 1))?.send('one')
  streams.close()
  await waits
  expect(lost).toBe(1)
})

test('a client that never subscribes is given up', async () => {
  const ends: ChannelEnd[] = []
  const channel = new Channel({
    connection: bus.connection,
    receivesOn: subjects.in('x'),
    sendsOn: subjects.out('x'),
    limits: defaultFrontLimits,
    join: { ms: 100, joined() {} },
    reader: { text() {}, unreadable() {}, over: (end) => void ends.push(end), failed },
  })
  await eventually(() => expect(ends).toEqual([{ reason: 'lost', own: false }]))
  expect(channel.slow).toBeUndefined()
})

test('a gateway that closes waits until a client has subscribed to the stream of its answer', async () => {
  const front = createSampleFront()
  front.receive = (_message, _from, sink) => {
    sink.redirect?.(
      ({ stream }) => stream,
      () => {},
    )
    void sink.send('piece', false)
    void sink.send('answer', true)
  }
  const server = createNatsFront({ front, connection: bus.connection, cluster: 'test', log: silentLog })
  const client = await join(bus.nats.url)
  client.send({ jsonrpc: '3.0', id: 1, method: 'x' })
  await eventually(() => expect(client.texts).toHaveLength(1))
  const closed = server.close(10_000)
  const texts = await follow(subjects.out(client.texts[0] ?? ''))
  await closed
  await eventually(() => expect(texts).toEqual(['piece', 'answer', 'done']))
  await eventually(() => expect(client.goodbyes).toEqual(['going_away']))
})
