import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '@junctor/plugin-sdk'
import type { Link } from '@junctor/plugin-sdk/link'
import {
  type ComponentCall,
  createRequest,
  describeBackend,
  eventually,
  recordClient,
  recordExchange,
  startComponent,
} from '@junctor/testkit'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { config } from '../src/config.ts'
import { createHttpTools } from '../src/create-http-tools.ts'
import { client, component, opened, paris, refusal, sunny, weather } from './parts.ts'

const echo = {
  name: 'echo',
  description: 'Repeats',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}

/** Sends frames as lines; each line in its own piece. */
function lines(response: ComponentCall['response'], frames: readonly object[]): undefined {
  response.setHeader('content-type', 'application/x-ndjson')
  for (const frame of frames) response.write(`${JSON.stringify(frame)}\n`)
  response.end()
  return undefined
}

describeBackend('components', { echo: 'echo', steps: 'steps' }, async () => {
  const echoing = await startComponent({
    description: echo,
    answer: ({ body }) => ({ content: [{ type: 'text', text: (JSON.parse(body) as { text: string }).text }] }),
  })
  const stepping = await startComponent({
    description: { ...echo, name: 'steps' },
    answer: ({ response }) =>
      lines(response, [
        ...[1, 2, 3].map((progress) => ({ jsonrpc: '3.0', ack: { progress } })),
        { jsonrpc: '3.0', result: sunny },
      ]),
  })
  const options = z.parse(config, { tool: [echoing.url, stepping.url] })
  const backend = createHttpTools({ name: 'parts', config: options, log: silentLog })
  return { backend, dispose: async () => void (await Promise.all([echoing.close(), stepping.close()])) }
})

describe('a call', () => {
  test('sends the raw arguments, and gives what the component answers, without a content type', async () => {
    const one = await component()
    const parts = await client({ tool: one.url })
    expect(await parts.listTools()).toEqual([
      {
        name: 'weather',
        title: 'Weather',
        description: 'Get weather information for a location',
        inputSchema: weather.inputSchema,
      },
    ])
    expect(await parts.callTool('weather', paris)).toEqual(sunny)
    expect(one.calls.map(({ body }) => body)).toEqual(['{"location":"Paris"}'])
    expect(one.calls[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/x-ndjson, application/json',
    })
  })

  test.each([
    ['2024-11-05', { code: -32602, data: { reason: 'invalid_arguments', tool: 'weather' } }],
    ['2025-11-25', { isError: true }],
  ])('at %s arguments that do not match are refused here, and nothing is sent', async (revision, expected) => {
    const one = await component()
    const parts = await client({ tool: one.url }, revision)
    const refused: unknown = await parts.callTool('weather', { location: 3 }).catch((error: unknown) => error)
    expect(refused).toMatchObject(expected)
    expect(await refusal(parts.request('tools/call', { name: 'weather', arguments: [1] }))).toMatchObject({
      code: -32602,
      data: { reason: 'invalid_params' },
    })
    expect(one.calls).toEqual([])
  })

  test('headers and credentials are sent to the component', async () => {
    const one = await component()
    const parts = await client({ tool: one.url, headers: { 'x-team': 'blue' }, auth: { bearer: 'secret' } })
    await parts.callTool('weather', paris)
    expect(one.calls[0]?.headers).toMatchObject({ 'x-team': 'blue', authorization: 'Bearer secret' })
  })

  test('a failure of the tool is its result', async () => {
    const one = await component({ answer: () => ({ ...sunny, isError: true }) })
    const parts = await client({ tool: one.url })
    expect(await parts.callTool('weather', paris)).toEqual({ ...sunny, isError: true })
  })

  test.each([
    ['HTML', '<html>', 'weather gave an answer that is not JSON'],
    ['null', 'null', 'weather gave an answer without content'],
    ['20 MB', `{"content":[{"type":"text","text":"${'x'.repeat(20_000_000)}"}]}`, 'more than 8388608 bytes'],
  ])('%s with status 200 is a failed tool', async (_what, body, message) => {
    const one = await component({ answer: ({ response }) => void response.end(body) })
    const parts = await client({ tool: one.url })
    const refused = await refusal(parts.callTool('weather', paris))
    expect(refused).toMatchObject({ code: -32603, data: { reason: 'tool_failed', tool: 'weather', backend: 'test' } })
    expect(refused.message).toContain(message)
    expect(refused.message).not.toContain('127.0.0.1')
  })

  test.each([500, 404])('status %i is a failed tool', async (status) => {
    const answer = ({ response }: ComponentCall) => void response.writeHead(status).end('at /srv/secret.js:3')
    const parts = await client({ tool: (await component({ answer })).url })
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({
      message: `weather gave HTTP status ${status}`,
      data: { reason: 'tool_failed', status },
    })
  })

  test.each([429, 503])('status %i says that the tool may be called again, and when', async (status) => {
    const answer = ({ response }: ComponentCall) => void response.writeHead(status, { 'retry-after': '7' }).end('busy')
    const parts = await client({ tool: (await component({ answer })).url })
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({
      message: `weather gave HTTP status ${status}`,
      data: { reason: 'backend_unavailable', retryable: true, retryAfterMs: 7000, status },
    })
  })

  test('a component that dies between head and body has ended, and the call is not sent again', async () => {
    const one = await component({
      answer({ response }) {
        response.writeHead(200, { 'content-length': '100' }).write('{"content"')
        setImmediate(() => response.destroy())
      },
    })
    const parts = await client({ tool: one.url })
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({
      code: -32000,
      data: { reason: 'backend_exited', backend: 'test' },
    })
    expect(one.calls).toHaveLength(1)
  })

  test.each([{ idempotentHint: true }, { readOnlyHint: true }])(
    'with %j, one that is away is called again',
    async (annotations) => {
      let failures = 2
      const one = await component({
        description: { ...weather, annotations },
        answer({ response }) {
          if ((failures -= 1) >= 0) return void response.writeHead(503).end()
          return sunny
        },
      })
      const parts = await client({ tool: one.url })
      expect(await parts.callTool('weather', paris)).toEqual(sunny)
      expect(one.calls).toHaveLength(3)
    },
  )

  test('a call whose connection was lost is left to the gateway', async () => {
    const description = { ...weather, annotations: { readOnlyHint: true } }
    const one = await component({ description, answer: ({ response }) => void response.destroy() })
    const parts = await client({ tool: one.url })
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({ data: { reason: 'backend_exited' } })
    expect(one.calls).toHaveLength(1)
    await one.close()
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({ data: { reason: 'backend_unavailable' } })
  })

  test('a redirect to another private address is not followed', async () => {
    const inner = await component({ description: { ...weather, name: 'inner' } })
    const answer = ({ response }: ComponentCall): undefined =>
      void response.writeHead(307, { location: inner.url.replace('127.0.0.1', 'localhost') }).end()
    const parts = await client({ tool: (await component({ answer })).url })
    expect(await refusal(parts.callTool('weather', paris))).toMatchObject({ data: { reason: 'tool_failed' } })
    const see = ({ response }: ComponentCall): undefined =>
      void response.writeHead(303, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    const more = await client({ tool: (await component({ answer: see })).url })
    expect(await refusal(more.callTool('weather', paris))).toMatchObject({ data: { reason: 'tool_failed' } })
    expect(inner.calls).toEqual([])
    expect(inner.reads).toBe(0)
  })

  test('a cancelled call aborts the request of a slow component', async () => {
    const one = await component({ answer: () => new Promise(() => undefined) })
    const parts = await client({ tool: one.url })
    const cancelling = new AbortController()
    const call = refusal(parts.callTool('weather', paris, { signal: cancelling.signal }))
    await eventually(() => expect(one.calls).toHaveLength(1))
    cancelling.abort()
    await call
    await one.calls[0]?.closed
  })
})

describe('a streamed answer', () => {
  const frames = [
    { jsonrpc: '3.0', ack: { id: 1, progress: 1, total: 2 } },
    { jsonrpc: '3.0', stream: { id: 1, data: 'Processing...' } },
    { jsonrpc: '3.0', stream: { data: { type: 'text', text: 'Still working...' } } },
    { jsonrpc: '3.0', ack: { progress: 2, total: 2, message: 'ready' } },
    { jsonrpc: '3.0', stream: { id: 1 }, result: { content: [{ type: 'text', text: 'Complete!' }] } },
  ]

  test('gives pieces, progress and the result as they come', async () => {
    const { url } = await component({ answer: ({ response }) => lines(response, frames) })
    const parts = await client({ tool: url }, '2025-11-25')
    const pieces: unknown[] = []
    const progress: unknown[] = []
    const onChunk = (piece: unknown): void => void pieces.push(piece)
    const result = await parts.callTool('weather', paris, { onChunk, onProgress: (done) => progress.push(done) })
    expect(pieces).toEqual(['Processing...', { type: 'text', text: 'Still working...' }])
    expect(progress).toContainEqual({ progress: 1, total: 2 })
    expect(progress).toContainEqual({ progress: 2, total: 2, message: 'ready' })
    expect(result.content).toEqual(
      ['Processing...', 'Still working...', 'Complete!'].map((text) => ({ type: 'text', text })),
    )
  })

  test('a result after pieces needs no content', async () => {
    const some = [frames[1] ?? {}, { jsonrpc: '3.0', result: null }]
    const parts = await client({ tool: (await component({ answer: ({ response }) => lines(response, some) })).url })
    expect(await parts.callTool('weather', paris)).toEqual({ content: [{ type: 'text', text: 'Processing...' }] })
  })

  test.each([
    ['an error', [{ jsonrpc: '3.0', error: { code: -32602, message: 'No such city' } }], -32602, 'No such city'],
    ['its code of a failed tool', [{ jsonrpc: '3.0', error: { code: -32002, message: 'No' } }], -32603, 'No'],
    ['no end', frames.slice(0, 2), -32000, 'ended its answer too soon'],
    ['a line that is none', [frames[1] ?? {}, { hello: 1 }], -32603, 'a line that is no message'],
  ])('with %s fails', async (_what, some, code, message) => {
    const parts = await client({ tool: (await component({ answer: ({ response }) => lines(response, some) })).url })
    const refused = await refusal(parts.callTool('weather', paris))
    expect(refused.code).toBe(code)
    expect(refused.message).toContain(message)
  })

  test('with an error that has a title keeps it', async () => {
    const error = { code: -32602, title: 'Unknown City', message: 'No such city' }
    const one = await component({ answer: ({ response }) => lines(response, [{ jsonrpc: '3.0', error }]) })
    const link = await openLink(one.url)
    const request = createRequest('tools/call', { name: 'weather', arguments: paris })
    expect(await link.call(request, recordExchange({ request }).exchange)).toEqual({ kind: 'error', error })
  })

  test('is read no faster than the client reads', async () => {
    let written = 0
    const piece = `${JSON.stringify({ jsonrpc: '3.0', stream: { data: 'x'.repeat(64 * 1024) } })}\n`
    const one = await component({
      answer({ response }) {
        response.setHeader('content-type', 'application/x-ndjson')
        const write = (): void => {
          while (written < 2_000 && !response.destroyed) {
            written += 1
            if (!response.write(piece)) return void response.once('drain', write)
          }
        }
        write()
      },
    })
    const link = await openLink(one.url)
    const request = createRequest('tools/call', { name: 'weather', arguments: paris })
    const recorded = recordExchange({ request })
    recorded.stall()
    const outcome = link.call(request, recorded.exchange)
    const before = await unchanging(() => written)
    // What is written is in buffers of sockets, and not in the gateway.
    expect(before).toBeLessThan(1_000)
    recorded.resume()
    await eventually(() => expect(written).toBeGreaterThan(before + 10))
    recorded.exchange.end('cancelled')
    await outcome
    await one.calls[0]?.closed
  })
})

/** A link to a component, without a gateway. */
function openLink(tool: string): Promise<Link> {
  const backend = createHttpTools({ name: 'parts', config: z.parse(config, { tool }), log: silentLog })
  opened.push(backend)
  const scope = { tenant: 'default', principal: undefined, session: 's', capabilities: {}, key: 's' }
  return backend.open(scope, recordClient(), new AbortController().signal)
}

/** A number that counts up, when it has not changed for a while. */
async function unchanging(read: () => number): Promise<number> {
  for (let last = -1; ;) {
    const now = read()
    if (now > 0 && now === last) return now
    last = now
    await sleep(200)
  }
}
