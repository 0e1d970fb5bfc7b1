import { eventually } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { busFixture } from './bus-fixture.ts'
import { sendUntilSlow, serve } from './front-fixture.ts'
import { malformedHeaders, open } from './raw-client.ts'

const bus = busFixture()

function call(id: number | string, method: string): object {
  return { jsonrpc: '2.0', id, method }
}

function result(id: number | string, method: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { method } })
}

test('a client that asks for a channel with malformed headers gets an answer, like one without headers', async () => {
  const { front } = await serve(bus.nats)
  const reply = 'mcp.v1.test.default.evil.reply.1'
  const options = { headers: malformedHeaders(), noMux: true, reply, timeout: 5_000 }
  const answer = await bus.connection.request('mcp.v1.test.default.evil.open', '', options)
  expect(answer.headers?.get('Nats-Service-Error-Code')).toBe('401')
  expect(front.errors).toEqual([])
})

test('a channel continues after a message with malformed headers, which count as none', async () => {
  const { front } = await serve(bus.nats)
  const { publishMalformed, send, texts } = await open(bus.nats.url)
  publishMalformed(JSON.stringify(call(1, 'echo')))
  send(call(2, 'echo'))
  await eventually(() => expect(texts).toEqual([result(1, 'echo'), result(2, 'echo')]))
  expect(front.errors).toEqual([])
})

test.each(['tiny messages', 'marks'])(
  'a channel is closed when a client that reads nothing sends too many %s',
  async (what) => {
    const { front } = await serve(bus.nats, { buffered: 3_000_000 })
    const client = await open(bus.nats.url)
    client.stopAnswering()
    void sendUntilSlow(front)
    // Enough to notice that it is slow.
    client.send(call(1, 'echo'))
    for (let count = 0; count < 20_000; count += 1) {
      if (what === 'marks') client.mark()
      else client.send('1')
    }
    await eventually(() => expect(client.goodbyes).toEqual(['too_slow']))
  },
)
