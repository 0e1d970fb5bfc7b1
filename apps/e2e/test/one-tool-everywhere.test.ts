import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { eventually, junctorProgram } from '@junctor/testkit'
import { beforeAll, expect, onTestFinished, vi } from 'vitest'
import { sampleTools } from '../fixtures/sample-tools.ts'
import { buildWasmSample } from '@junctor/testkit/build-wasm-sample'
import { startGateway } from '../src/gateway-under-test.ts'
import { natsTest } from '../src/nats-test.ts'
import { startNodeProcess } from '../src/node-process.ts'

// One set of tools in process, in a process of its own, on a worker, over HTTP, as an MCP server and in WebAssembly: what
// clients receive is equal.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const source = fileURLToPath(new URL('../fixtures/sample-tools.ts', import.meta.url))

let sample: string
beforeAll(async () => {
  sample = await buildWasmSample()
})

/** Serves the tools as components over HTTP, until the test is over. Returns the URL that lists them. */
async function serveComponents(): Promise<string> {
  const served = spawn(process.execPath, [junctorProgram, 'plugin', 'serve', source, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    served.kill('SIGTERM')
    await once(served, 'exit')
  })
  let stderr = ''
  served.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return eventually(() => {
    const [, url] = /component is on (\S+)/.exec(stderr) ?? []
    if (url === undefined) throw new Error(`expected a URL, got ${stderr}`)
    return `${url}/`
  }, 60_000)
}

/** What a client receives of the tools of one backend. */
async function received(url: string, backend: string): Promise<Readonly<Record<string, unknown>>> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<unknown> =>
    client.callTool({ name: `${backend}__${tool}`, arguments: args })
  const progress: unknown[] = []
  await eventually(async () => {
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['echo', 'steps', 'stream', 'refuse'].map((tool) => `${backend}__${tool}`)),
    )
  }, 60_000)
  const { tools } = await client.listTools()
  return {
    echo: tools
      .filter(({ name }) => name === `${backend}__echo`)
      .map(({ title, description, inputSchema }) => ({ title, description, inputSchema })),
    answer: await call('echo', { text: 'Grüße "🎉"' }),
    refusal: await call('refuse', { text: 'no' }),
    wrong: await call('echo', { text: 7 }),
    surplus: await call('echo', { text: 'x', more: 1 }),
    steps: await client.callTool(
      { name: `${backend}__steps`, arguments: {} },
      { onprogress: ({ progress: done, total }) => void progress.push([done, total]) },
    ),
    progress,
    gathered: await call('stream'),
    pieces: await piecesOf(url, `${backend}__stream`),
  }
}

/** What a tool answers that calls another tool, by its name for plugins. */
async function asked(url: string, name: string, tool: string): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  return client.callTool({ name, arguments: { text: 'Grüße "🎉"', tool } })
}

/** The messages of a stream of JSON-RPC 3.0. */
async function piecesOf(url: string, name: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
    body: JSON.stringify({
      jsonrpc: '3.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {} },
      options: { stream: true },
    }),
  })
  const text = await response.text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

natsTest('tools give the same wherever they run', async ({ nats }) => {
  const args = [junctorProgram, 'plugin', 'serve', source, '--stdio']
  const { url } = await startNodeProcess({
    backends: {
      here: { plugin: source },
      process: { plugin: source, isolation: 'process' },
      child: { command: process.execPath, args },
      http: { tool: { registry: await serveComponents() }, allowedHosts: ['127.0.0.1'] },
      wasm: { wasm: sample },
    },
  })
  const gateway = await startGateway({
    nodes: 1,
    nats: nats.url,
    config: { backends: { worker: { plugin: 'sample-tools', runsOn: 'workers' } } },
    plugins: [sampleTools],
  })
  onTestFinished(() => gateway.close())
  const here = await received(url, 'here')
  expect(here).toMatchObject({
    answer: { content: [{ type: 'text', text: 'Grüße "🎉"' }] },
    refusal: { content: [{ type: 'text', text: 'Refused: no' }], isError: true },
    wrong: { isError: true },
    steps: { content: [{ type: 'text', text: 'done' }] },
    progress: [
      [1, 3],
      [2, 3],
      [3, 3],
    ],
    gathered: { content: ['one two ', 'three'].map((text) => ({ type: 'text', text })) },
  })
  expect(await received(url, 'process')).toEqual(here)
  expect(await asked(url, 'here__ask', 'process:echo')).toEqual(here['answer'])
  expect(await asked(url, 'process__ask', 'here:echo')).toEqual(here['answer'])
  expect(await asked(url, 'process__ask', 'here:refuse')).toMatchObject({ isError: true })
  expect(await asked(gateway.urls[0] ?? '', 'worker__ask', 'worker:echo')).toEqual(here['answer'])
  expect(await received(gateway.urls[0] ?? '', 'worker')).toEqual(here)
  expect(await received(url, 'http')).toEqual(here)
  // MCP has no pieces of a result: a server gives the whole one.
  const whole = { jsonrpc: '3.0', stream: { id: 1 }, result: here['gathered'] }
  expect(await received(url, 'child')).toEqual({ ...here, pieces: [whole] })
  expect(await received(url, 'wasm')).toEqual(here)
})
