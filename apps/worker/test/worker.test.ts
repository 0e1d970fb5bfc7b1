import { writeFileSync } from 'node:fs'
import { eventually, untilGone } from '@junctor/testkit'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  type CallToolResult,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  McpError,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cluster, createCluster } from './support/cluster.ts'
import { startWorker, type WorkerProcess } from './support/worker-process.ts'

let cluster: Cluster

beforeEach(async () => {
  cluster = await createCluster()
}, 60_000)

afterEach(() => cluster.close(), 60_000)

type Options = Parameters<Client['callTool']>[2]

/** Calls a tool and returns its text. */
async function call(client: Client, name: string, args: object = {}, options: Options = {}): Promise<string> {
  const result = await client.callTool({ name, arguments: { ...args } }, undefined, options)
  const [content] = (result as CallToolResult).content
  return content?.type === 'text' ? content.text : ''
}

/** Calls a tool, and retries calls that were not run, as clients do. */
async function callAgain(client: Client, name: string): Promise<string> {
  return eventually(async () => {
    try {
      return await call(client, name)
    } catch (error) {
      if (isRetryable(error)) throw error
      return `failed: ${String(error)}`
    }
  })
}

function isRetryable(error: unknown): boolean {
  return error instanceof McpError && (error.data as { retryable?: boolean } | undefined)?.retryable === true
}

const toolNames = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

/** The worker that runs a program. */
function workerOf(workers: readonly WorkerProcess[], pid: string): WorkerProcess {
  const worker = workers.find((one) => one.descendants().some((info) => String(info.pid) === pid))
  if (worker === undefined) throw new Error(`no worker runs ${pid}`)
  return worker
}

describe('a client of a gateway, whose backends are on a worker', { timeout: 60_000 }, () => {
  it('uses a program and a plugin there as if they were on the gateway', async () => {
    await cluster.startWorker()
    const client = await cluster.openClient(await cluster.startGateway())
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada', age: 36 } }))
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant',
      model: 'a model',
      content: { type: 'text', text: 'shorter' },
    }))
    await eventually(async () =>
      expect(await toolNames(client)).toEqual(expect.arrayContaining(['child__ask', 'demo__add'])),
    )
    expect(await call(client, 'demo__add', { a: 2, b: 3 })).toContain('5')
    expect(await call(client, 'child__ask')).toBe('Ada')
    expect(await call(client, 'demo__ask')).toContain('Hello Ada, 36')
    expect(await call(client, 'demo__summarize', { text: 'something long' })).toBe('shorter')
    const seen: number[] = []
    const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress)
    await call(client, 'demo__progress', { steps: 4, delayMs: 1 }, { onprogress })
    expect(seen).toEqual([1, 2, 3, 4])
  })

  it('cancels a call that a program is running', async () => {
    await cluster.startWorker()
    const client = await cluster.openClient(await cluster.startGateway())
    await callAgain(client, 'child__pid')
    const giveUp = new AbortController()
    const waiting = call(client, 'child__wait', {}, { signal: giveUp.signal })
    const failed = waiting.catch((error: unknown) => error)
    await call(client, 'child__pid')
    giveUp.abort('changed my mind')
    expect(String(await failed)).toContain('changed my mind')
    await eventually(async () => expect(await call(client, 'child__cancelled')).toBe('1'))
  })

  it('is notified when a program there changes its lists', async () => {
    await cluster.startWorker()
    const client = await cluster.openClient(await cluster.startGateway())
    await callAgain(client, 'child__pid')
    let notified = 0
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (notified += 1))
    await call(client, 'child__grow')
    await eventually(() => expect(notified).toBeGreaterThan(0))
    await eventually(async () => expect(await toolNames(client)).toContain('child__grown'))
  })

  it('sees tools appear with the first worker and disappear with the last', async () => {
    const client = await cluster.openClient(await cluster.startGateway())
    let notified = 0
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (notified += 1))
    expect(await toolNames(client)).toEqual([])
    const one = await cluster.startWorker('--backend', 'demo')
    expect((await one.ready()).backends).toEqual(['demo'])
    await eventually(() => expect(notified).toBeGreaterThan(0))
    await eventually(async () => expect(await toolNames(client)).toContain('demo__add'))
    expect(await toolNames(client)).not.toContain('child__pid')
    const before = notified
    one.child.kill('SIGTERM')
    await eventually(() => expect(notified).toBeGreaterThan(before))
    // The client may have been notified once more of the tools that came.
    await eventually(async () => expect(await toolNames(client)).toEqual([]))
  })
})

describe('a worker', { timeout: 90_000 }, () => {
  it('that is killed: its calls end within 2 s, the next goes to another worker, its programs are gone', async () => {
    const workers = [await cluster.startWorker(), await cluster.startWorker()]
    const client = await cluster.openClient(await cluster.startGateway())
    const holder = workerOf(workers, await callAgain(client, 'child__pid'))
    const programs = holder.descendants()
    const waiting = call(client, 'child__wait')
    await call(client, 'child__cancelled')
    const killedAt = performance.now()
    holder.child.kill('SIGKILL')
    const error = await waiting.catch((thrown: unknown) => thrown)
    expect(performance.now() - killedAt).toBeLessThan(2_000)
    expect(error).toMatchObject({ data: { reason: 'backend_exited', backend: 'child', retryable: false } })
    const other = workers.filter((worker) => worker !== holder)
    expect(workerOf(other, await callAgain(client, 'child__pid'))).toBe(other[0])
    await untilGone(programs)
  })

  it('that is asked to stop: running calls end normally, and nothing fails for a client that retries', async () => {
    const workers = [await cluster.startWorker(), await cluster.startWorker()]
    const url = await cluster.startGateway()
    const [client, others] = [await cluster.openClient(url), await cluster.openClient(url)]
    const holder = workerOf(workers, await callAgain(client, 'child__pid'))
    const programs = holder.descendants()
    const sleeping = call(client, 'child__sleep', { ms: 1_500 })
    await call(client, 'child__cancelled')
    holder.child.kill('SIGTERM')
    const state = { over: false }
    void sleeping.finally(() => (state.over = true))
    const results = new Set<string>()
    while (!state.over) results.add(await callAgain(others, 'child__pid'))
    expect(await sleeping).toBe('slept')
    expect([...results].filter((text) => text.startsWith('failed'))).toEqual([])
    expect(await holder.ended()).toBe(0)
    await untilGone(programs)
    const other = workers.filter((worker) => worker !== holder)
    expect(workerOf(other, await callAgain(client, 'child__pid'))).toBe(other[0])
  })

  it('reports why it does not start', async () => {
    const stranger = startWorker(['--config', cluster.file, '--backend', 'nope'])
    expect(await stranger.ended()).toBe(3)
    expect(stranger.stderr()).toContain('got "nope", which is not in the configuration')
    const alone = `${cluster.file}.alone.json`
    writeFileSync(alone, JSON.stringify({ backends: { demo: { plugin: '@junctor/plugin-demo', runsOn: 'workers' } } }))
    const lonely = startWorker(['--config', alone, '--json'])
    expect(await lonely.ended()).toBe(3)
    expect(JSON.parse(lonely.stderr())).toMatchObject({ ready: false, problems: [{ path: 'backends.demo.runsOn' }] })
    const lost = startWorker([], import.meta.dirname)
    expect(await lost.ended()).toBe(3)
    expect(lost.stderr()).toMatch(/got neither\n.*--config junctor\.yaml/)
    const confused = startWorker(['--what'])
    expect(await confused.ended()).toBe(2)
  })
})
