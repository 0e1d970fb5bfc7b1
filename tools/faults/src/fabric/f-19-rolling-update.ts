import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { request } from 'undici'
import type { GatewayProcess } from '../client/gateway-process.ts'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { readiness, withFabric } from './scene.ts'

/** How long a node stays open after SIGTERM, in milliseconds, and how long it then waits for answers. */
const drainDelayMs = 1_500
const graceMs = 8_000

/** Nodes are replaced one by one while clients that reconnect call tools: none of their calls fails. */
export const rollingUpdate: Scenario = {
  id: 'F-19',
  title: 'all nodes are replaced in turn, under load',
  ways: ['http'],
  heavy: true,
  run: () => {
    const config = { limits: { drainDelay: `${drainDelayMs}ms`, grace: `${graceMs}ms` } }
    return withFabric({ config }, async ({ gateways, start, runs }) => {
      let serving: readonly GatewayProcess[] = [...gateways]
      const stopped = new AbortController()
      const clients = Array.from({ length: 8 }, (_, n) =>
        keepCalling(n, (turn) => serving[turn % serving.length]?.url ?? '', stopped.signal),
      )
      const answered = Promise.all(clients)
      // The promise is awaited at the end.
      answered.catch(() => {})
      const ended: string[] = []
      for (const old of serving) {
        // One after the other.
        // oxlint-disable no-await-in-loop
        await after(500)
        const next = await start()
        ended.push(await replace(old, () => (serving = [...serving.filter((one) => one !== old), next])))
        // oxlint-enable no-await-in-loop
      }
      await after(500)
      stopped.abort()
      const counts = await answered
      const calls = counts.flatMap((names) => names)
      for (const name of calls) assert(runs(name) >= 1)
      assert(calls.length > 100, `Expected more than 100 calls, got ${calls.length}`)
      return `${calls.length} calls of ${clients.length} clients, none failed; ${ended.join('; ')}`
    })
  },
}

/** Shuts down a node as an orchestrator does, and checks the shutdown. */
async function replace(old: GatewayProcess, removed: () => void): Promise<string> {
  const session = await open(old.url)
  assert(session)
  const stream = await request(old.url, { method: 'GET', headers: { ...session, accept: 'text/event-stream' } })
  const streamed = stream.body.text().catch((error: unknown) => `expected an end of the stream, got ${String(error)}`)
  const socket = new WebSocket(old.url.replace('http', 'ws'), 'mcp')
  await once(socket, 'open')
  const closed = once(socket, 'close') as Promise<[{ code: number }]>
  const slow = post(old.url, session, callOf('slow', drainDelayMs + 1_500)).catch((error: unknown) => ({
    text: String(error),
  }))
  await after(200)
  const began = performance.now()
  const exited = once(old.child, 'exit') as Promise<[number | null]>
  old.child.kill('SIGTERM')
  await until('a node that is not ready', async () => (await readiness(old)) === 'draining', drainDelayMs)
  const unreadyMs = performance.now() - began
  // The node is still open for clients that have not noticed yet, but opens no sessions or streams.
  const late = await post(old.url, session, callOf('late', 0))
  assert.equal(late.text, 'late')
  const refused = await post(old.url, {}, opening)
  assert.deepEqual([refused.status, refused.reason], [503, 'overloaded'])
  removed()
  assert.equal((await slow).text, 'slow')
  assert.match(await streamed, /^retry: \d+$/m)
  assert.equal((await closed)[0].code, 1001)
  const [code] = await exited
  const ms = performance.now() - began
  assert.equal(code, 0)
  assert(ms < drainDelayMs + graceMs, `Expected an end within ${drainDelayMs + graceMs} ms, took ${ms} ms`)
  return `not ready after ${unreadyMs.toFixed(0)} ms, gone after ${ms.toFixed(0)} ms`
}

interface Posted {
  readonly status: number
  readonly text: string
  readonly reason: string | undefined
  readonly retryable: boolean
  readonly session: string | undefined
}

type Headers = Readonly<Record<string, string>>

async function post(url: string, headers: Headers, body: object): Promise<Posted> {
  const answer = await request(url, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), ...body }),
  })
  const text = await answer.body.text()
  const line = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}')
  const { result, error } = JSON.parse(line) as {
    result?: { content?: readonly { text: string }[] }
    error?: { data?: { reason?: string; retryable?: boolean } }
  }
  const session = answer.headers['mcp-session-id']
  return {
    status: answer.statusCode,
    text: result?.content?.map((part) => part.text).join('') ?? '',
    reason: error?.data?.reason,
    retryable: error?.data?.retryable === true,
    session: typeof session === 'string' ? session : undefined,
  }
}

const opening = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'rolling', version: '1' } },
}

function callOf(nonce: string, ms: number): object {
  return { method: 'tools/call', params: { name: 'work__sets', arguments: { nonce, ms } } }
}

/** Opens a session; undefined when the node opens none now. */
async function open(url: string): Promise<Headers | undefined> {
  const { session } = await post(url, {}, opening)
  return session === undefined ? undefined : { 'mcp-session-id': session }
}

/**
 * A client that calls a tool repeatedly, each time at the next node. It retries when a refusal asks for that, and when
 * its session or connection is gone. Resolves with the answers; rejects when a call stays unanswered.
 */
async function keepCalling(
  client: number,
  next: (turn: number) => string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names: string[] = []
  let turn = client
  let session: Headers | undefined
  for (let count = 0; !signal.aborted; count += 1) {
    const name = `${client}-${count}`
    // Each call comes after the previous one.
    // oxlint-disable-next-line no-await-in-loop
    await until(`an answer to ${name}`, async () => {
      turn += 1
      const url = next(turn)
      try {
        session ??= await open(url)
        if (session === undefined) return false
        const { status, text, reason, retryable } = await post(url, session, callOf(name, 10))
        if (text === name) return true
        // The answer may have become a stream before the missing session was noticed.
        if (status === 404 || reason === 'session_unknown') session = undefined
        else if (status !== 503 && !retryable) throw new Error(`Expected ${name}, got ${status} ${reason}`)
      } catch (error) {
        // The connection was lost: the client may send the call again, and the tool may run twice.
        if ((error as { code?: string }).code === undefined) throw error
      }
      await after(50)
      return false
    })
    names.push(name)
  }
  return names
}
