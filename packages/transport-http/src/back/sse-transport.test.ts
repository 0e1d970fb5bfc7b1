import type { ServerResponse } from 'node:http'
import type { Message } from '@junctor/jsonrpc'
import { openEvents, routes, type Script, sendEvent, statusOnly, eventually } from '@junctor/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notification, request, result, start } from '../../test/back-fixture.ts'

const never = new AbortController().signal

/** A server of 2024-11-05: it answers on the stream the requests that are posted to `/m`. */
function serverWith(scripts: Readonly<Record<string, Script>> = {}, endpoint = '/m') {
  let stream: ServerResponse | undefined
  const script = routes({
    GET(_, response) {
      stream = response
      openEvents(response)
      sendEvent(response, { event: 'endpoint', data: endpoint })
    },
    POST(to, response) {
      response.writeHead(202).end()
      if (stream !== undefined) sendEvent(stream, { event: 'message', data: result(to) })
    },
    ...scripts,
  })
  return { script, stream: () => stream }
}

async function connect(script: Script, limits: { readonly messageBytes?: number } = {}) {
  const { server, client } = await start(script, { headers: { authorization: 'Bearer k' }, limits })
  const received: Message[] = []
  // As of a server that may want tokens.
  const own = client.withTokens({ current: () => undefined, afterRefusal: async () => undefined })
  const transport = await own.openSseTransport({ message: (message) => void received.push(message) }, never)
  return { server, transport, received }
}

test('a request that is posted to the named endpoint is answered on the stream', async () => {
  const { server, transport, received } = await connect(serverWith().script)
  expect(transport.send(request(1, 'ping'))).toBeUndefined()
  await eventually(() => expect(received).toMatchObject([{ kind: 'result', id: '1' }]))
  expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /mcp', 'POST /m'])
  expect(server.received[1]?.headers).toMatchObject({ authorization: 'Bearer k', 'content-type': 'application/json' })
  await transport.close()
  expect(await transport.closed).toBeUndefined()
})

test('the caller can wait for the delivery of a notification, so that no later message overtakes it', async () => {
  const { server, transport } = await connect(serverWith().script)
  await transport.send(notification('notifications/initialized'))
  expect(server.received).toHaveLength(2)
  await transport.close()
})

test('waiting for a notification has a limit; a request has none, because its POST may end with its answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, transport, received } = await connect(serverWith({ POST() {} }).script)
  void transport.send(request(1, 'tools/call'))
  const sent = transport.send(notification('notifications/initialized'))
  await eventually(() => expect(server.received).toHaveLength(3))
  vi.advanceTimersByTime(30_000)
  await sent
  await eventually(() => expect(server.sockets).toBe(2))
  expect(received).toEqual([])
  await transport.close()
})

test('a request that the server does not accept is answered with an error', async () => {
  const { transport, received } = await connect(serverWith({ POST: statusOnly(500) }).script)
  void transport.send(request(1, 'tools/call'))
  await eventually(() => expect(received).toMatchObject([{ kind: 'error', id: '1', error: { code: -32000 } }]))
  await transport.close()
})

test.each([
  ['after its result', (id: number, text: string) => JSON.stringify({ result: { text }, jsonrpc: '2.0', id })],
  ['before its result', (id: number, text: string) => JSON.stringify({ jsonrpc: '2.0', id, result: { text } })],
])('an answer above the limit with its id %s fails its own request, and others go on', async (_, answer) => {
  const { script, stream } = serverWith({ POST: (_to, response) => void response.writeHead(202).end() })
  const { server, transport, received } = await connect(script, { messageBytes: 1_000 })
  void transport.send(request(1, 'tools/call'))
  void transport.send(request(2, 'tools/call'))
  await eventually(() => expect(server.received).toHaveLength(3))
  for (const [id, text] of [
    [1, 'x'.repeat(100_000)],
    [2, 'short'],
  ] as const) {
    stream()?.write(`id: ${id}\nevent: message\ndata: ${answer(id, text)}\nretry: 100\n\n`)
  }
  await eventually(() =>
    expect(received).toMatchObject([
      { kind: 'error', id: '1', error: { message: expect.stringContaining('larger than the limit') } },
      { kind: 'result', id: '2' },
    ]),
  )
  await transport.close()
})

test('the end of the stream is the end of the connection', async () => {
  const { script, stream } = serverWith()
  const { transport } = await connect(script)
  stream()?.end()
  expect(await transport.closed).toMatchObject({ code: 'BACKEND_EXITED' })
  expect(transport.send(request(1, 'ping'))).toBeUndefined()
})

test('nothing is left open of requests that the server still holds when the connection ends', async () => {
  const { server, transport } = await connect(serverWith({ POST() {} }).script)
  void transport.send(request(1, 'tools/call'))
  await eventually(() => expect(server.received).toHaveLength(2))
  await transport.close()
  await eventually(() => expect(server.sockets).toBe(0))
})

test('an endpoint on another origin is refused, and receives nothing', async () => {
  const { client } = await start(serverWith({}, 'http://127.0.0.1:1/m').script)
  await expect(client.openSseTransport({ message() {} }, never)).rejects.toMatchObject({ code: 'BACKEND_REFUSED' })
})

test.each([404, 405])('a server without such a stream (%i) is refused', async (code) => {
  const { client } = await start(statusOnly(code))
  await expect(client.openSseTransport({ message() {} }, never)).rejects.toMatchObject({ code: 'BACKEND_REFUSED' })
})

test('waiting for the endpoint ends with the signal', async () => {
  const { client, server } = await start((_, response) => openEvents(response))
  const controller = new AbortController()
  const opening = client.openSseTransport({ message() {} }, controller.signal)
  await eventually(() => expect(server.received).toHaveLength(1))
  controller.abort(new Error('enough'))
  await expect(opening).rejects.toThrow('enough')
})
