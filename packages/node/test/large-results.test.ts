import { parseConfig } from '@junctor/config'
import type { JsonObject } from '@junctor/jsonrpc'
import { createBackend, createTool, definePlugin } from '@junctor/plugin-sdk'
import { eventually, type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { createNode, createWorker } from '../src/index.ts'
import { open, post } from './mcp-post.ts'

// A result of 20 MB reaches a client over HTTP from other nodes. Where results are stored for later, the error names
// the limit.

const large = Array.from({ length: 2_000_000 }, (_, index) => String(index).padStart(10, '.')).join('')
const plugin = definePlugin({
  name: 'large',
  key: 'large',
  config: z.object({ large: z.literal(true) }),
  create: (_config, { name, log }) =>
    createBackend({
      name,
      log,
      tools: [
        createTool({
          metadata: { name: 'give', description: 'Gives a lot', inputSchema: { type: 'object' } },
          handler: () => large,
        }),
      ],
    }),
})

let server: NatsServer
const closers: { close(): Promise<void> }[] = []
const urls: string[] = []

beforeAll(async () => {
  server = await startNatsServer()
  const file = {
    fabric: { nats: { servers: [server.url], key: 'a secret of the test cluster, which is long' } },
    listen: { http: { port: 0 } },
    backends: { ours: { large: true }, theirs: { large: true, runsOn: 'workers' } },
    limits: { drainDelay: '1ms' },
  }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [plugin], env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const parts = { config: parsed.config, plugins: [plugin] }
  closers.push(await createWorker(parts))
  for (let node = 0; node < 2; node += 1) {
    // oxlint-disable no-await-in-loop -- one after the other
    const gateway = await createNode(parts)
    closers.push(gateway)
    urls.push((await gateway.listen()).http.url)
    // oxlint-enable no-await-in-loop
  }
})

afterAll(async () => {
  await Promise.all(closers.map((one) => one.close()))
  await server.stop()
})

/** Opens a session at the first gateway, and returns a function that sends messages to the second. */
async function enter(): Promise<(message: JsonObject) => ReturnType<typeof post>> {
  const session = await open(urls[0] as string)
  return (message) => post(urls[1] as string, message, session)
}

const textOf = (body: JsonObject): unknown =>
  (body['result'] as { content: { text: string }[] } | undefined)?.content[0]?.text ?? body

/** Stored results have a size limit: the error names it. */
const tooLarge = {
  error: { message: 'The result is larger than 1048576 characters', data: { reason: 'too_large', retryable: false } },
}

test.each(['ours__give', 'theirs__give'])('%s, answered on the response of its request', async (name) => {
  const send = await enter()
  const { body } = await send({ id: 1, method: 'tools/call', params: { name, arguments: {} } })
  // `toBe` would print both texts.
  expect(textOf(body) === large).toBe(true)
})

test.each(['ours__give', 'theirs__give'])('%s, as a task', async (name) => {
  const send = await enter()
  const { body } = await send({ id: 1, method: 'tools/call', params: { name, arguments: {}, task: { ttl: 60_000 } } })
  const { taskId } = (body['result'] as { task: { taskId: string } }).task
  const { body: result } = await send({ id: 2, method: 'tasks/result', params: { taskId } })
  expect(result).toMatchObject(tooLarge)
})

test.each(['ours__give', 'theirs__give'])('%s, answered on the stream of the session', async (name) => {
  const session = await open(urls[0] as string)
  const received: JsonObject[] = []
  const leaving = new AbortController()
  const response = await fetch(urls[1] as string, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    signal: leaving.signal,
  })
  const read = async (): Promise<void> => {
    let rest = ''
    for await (const piece of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      rest += piece
      if (!piece.includes('\n')) continue
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('data: {')) received.push(JSON.parse(line.slice('data: '.length)) as JsonObject)
      }
    }
  }
  const reading = read().catch(() => {})
  const call = { id: 1, method: 'tools/call', params: { name, arguments: {} } }
  const { status } = await post(urls[1] as string, call, session, { prefer: 'respond-async' })
  expect(status).toBe(202)
  await eventually(() => expect(received.find(({ id }) => id === 1)).toBeDefined(), 20_000)
  expect(received.find(({ id }) => id === 1)).toMatchObject(tooLarge)
  leaving.abort()
  await reading
})
