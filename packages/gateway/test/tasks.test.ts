import { describe, expect, it } from 'vitest'
import type { Exchange, Outcome } from '@junctor/exchange'
import type { Front, Identity } from '@junctor/contracts'
import { type JsonObject, type JsonValue, payloadOf, type Request } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import type { BackendEntry, GatewayLimits } from '../src/index.ts'
import { createTestBackend, testServer } from './support/test-backend.ts'
import { openClient, type TestClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const tools = [
  { name: 'echo' },
  { name: 'never', execution: { taskSupport: 'forbidden' } },
  { name: 'always', execution: { taskSupport: 'required' } },
]

/** A caller with credentials. Without them, it is one principal with others, and lists no tasks. */
function knownAs(subject: string): Identity {
  return { ...identityOf(subject), principal: { issuer: 'api-key', subject, key: `api-key ${subject}` } }
}

/** Two nodes, and a client of each revision whose session has the first node as its home and is served by both. */
async function start(
  protocolVersion = '2025-11-25',
  limits: Partial<GatewayLimits> = {},
  about: Partial<BackendEntry> = {},
) {
  const backends = [createTestBackend(about), createTestBackend(about)]
  const calls: Request[] = []
  const doing: { call: (exchange: Exchange, request: Request) => Outcome | Promise<Outcome> } = {
    call: () => ({ kind: 'complete', result: payloadOf({ content: [], value: 1 }) }),
  }
  for (const { behaviour } of backends) {
    behaviour.server = { ...testServer, capabilities: { ...testServer.capabilities, tasks: {} } }
    behaviour.list = async (kind) => (kind === 'tools' ? tools.map((tool) => payloadOf(tool)) : [])
    behaviour.call = (request, exchange) => {
      calls.push(request)
      return doing.call(exchange, request)
    }
  }
  const nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry])]),
    limits,
  )
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const params = {
    protocolVersion,
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  }
  const here = await openClient(one, knownAs('ada'), params)
  const there = await here.at(two)
  return { one, two, here, there, calls, doing, params, backends }
}

interface Task {
  readonly taskId: string
  readonly status: string
  readonly ttl: number
}

async function begin(client: TestClient, params: JsonObject = {}): Promise<Task> {
  const { result, error } = await client
    .request('tools/call', { name: 'one__echo', arguments: {}, task: {}, ...params })
    .answer()
  if (result === undefined) throw new Error(JSON.stringify(error))
  return (result as { task: Task }).task
}

async function ask(client: TestClient, method: string, params: JsonValue): Promise<unknown> {
  const { result, error } = await client.request(method, params).answer()
  return error ?? result
}

const elicit = { method: 'elicitation/create', params: payloadOf({ message: 'Sure?', requestedSchema: {} }) }

describe('tasks', () => {
  it('are offered to clients of 2025-11-25, for every tool that does not forbid them', async () => {
    const { here } = await start()
    expect(here.opened.result).toMatchObject({
      capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    })
    expect((await here.request('tools/list').answer()).result).toMatchObject({
      tools: [
        { name: 'one__echo', execution: { taskSupport: 'optional' } },
        { name: 'one__never', execution: { taskSupport: 'forbidden' } },
        { name: 'one__always', execution: { taskSupport: 'required' } },
      ],
    })
  })

  it('do not exist in other revisions', async () => {
    const { here } = await start('2025-06-18')
    expect(here.opened.result).not.toMatchObject({ capabilities: { tasks: {} } })
    expect(JSON.stringify((await here.request('tools/list').answer()).result)).not.toContain('execution')
    const call = { name: 'one__echo', arguments: {}, task: {} }
    expect(await ask(here, 'tools/call', call)).toEqual({ content: [], value: 1 })
    expect(await ask(here, 'tasks/list', {})).toMatchObject({ code: -32_601 })
  })

  it('exist immediately, and have exactly the result of the call, on any node', async () => {
    const { here, there, calls } = await start()
    const task = await begin(here, { task: { ttl: 60_000 } })
    expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: expect.any(Number) })
    expect(task.taskId).toMatch(/^j_[\w-]{22}$/)
    const { taskId } = task
    for (const client of [here, there]) {
      const result = { content: [], value: 1, _meta: { 'io.modelcontextprotocol/related-task': { taskId } } }
      expect(await ask(client, 'tasks/result', { taskId })).toEqual(result)
      expect(await ask(client, 'tasks/get', { taskId })).toMatchObject({ taskId, status: 'completed' })
    }
    expect(calls.map(({ params }) => params?.value())).toEqual([{ name: 'echo', arguments: {} }])
  })

  it('fail with the error of the call, or with its result that is an error', async () => {
    const { here, there, doing } = await start()
    doing.call = () => ({ kind: 'error', error: { code: -32_099, message: 'broken', data: payloadOf({ a: 1 }) } })
    const one = await begin(here)
    expect(await ask(there, 'tasks/result', { taskId: one.taskId })).toEqual({
      code: -32_099,
      message: 'broken',
      data: { a: 1 },
    })
    expect(await ask(there, 'tasks/get', { taskId: one.taskId })).toMatchObject({
      status: 'failed',
      statusMessage: 'broken',
    })
    doing.call = () => ({ kind: 'complete', result: payloadOf({ content: [], isError: true }) })
    const two = await begin(here)
    expect(await ask(there, 'tasks/result', { taskId: two.taskId })).toMatchObject({ isError: true })
    expect(await ask(there, 'tasks/get', { taskId: two.taskId })).toMatchObject({ status: 'failed' })
  })

  it('send their questions to the client that waits for their result, on any node, and show that state', async () => {
    const { here, there, doing } = await start()
    doing.call = async (exchange) => {
      const answer = await exchange.ask(elicit)
      return { kind: 'complete', result: payloadOf({ content: [], answer: 'result' in answer ? 'yes' : 'no' }) }
    }
    for (const [starter, waiter] of [
      [here, there],
      [there, here],
      [here, here],
    ] as const) {
      const { taskId } = await begin(starter)
      await eventually(async () => {
        expect(await ask(waiter, 'tasks/get', { taskId })).toMatchObject({ status: 'input_required' })
      })
      const waiting = waiter.request('tasks/result', { taskId })
      const asked = await waiting.until(({ method }) => method === elicit.method)
      expect(asked.params).toMatchObject({ _meta: { 'io.modelcontextprotocol/related-task': { taskId } } })
      waiter.respond(asked.id as string, { action: 'accept', content: {} })
      expect((await waiting.answer()).result).toMatchObject({ answer: 'yes' })
      expect(await ask(waiter, 'tasks/get', { taskId })).toMatchObject({ status: 'completed' })
    }
  })

  it('keep their questions for the next waiting client when the first has left', async () => {
    const { here, there, doing } = await start()
    doing.call = async (exchange) => {
      const answer = await exchange.ask(elicit)
      return { kind: 'complete', result: payloadOf({ content: [], answer: 'result' in answer ? 'yes' : 'no' }) }
    }
    const { taskId } = await begin(here)
    const first = there.request('tasks/result', { taskId }, 'first')
    await first.until(({ method }) => method === elicit.method)
    there.notify('notifications/cancelled', { requestId: 'first' })
    await eventually(() => expect(first.ended).toBe(true))
    const second = there.request('tasks/result', { taskId })
    const asked = await second.until(({ method }) => method === elicit.method)
    there.respond(asked.id as string, { action: 'accept', content: {} })
    expect((await second.answer()).result).toMatchObject({ answer: 'yes' })
  })

  it('free the id of a waiting request when they have ended or the wait is cancelled, although the client is gone', async () => {
    const { here, there, doing } = await start()
    const gate = Promise.withResolvers<void>()
    doing.call = async () => {
      await gate.promise
      return { kind: 'complete', result: payloadOf({ content: [], value: 3 }) }
    }
    const { taskId } = await begin(here)
    const refusal = { error: { data: { reason: 'duplicate_id' } } }
    for (const client of [here, there]) {
      const gone = client.request('tasks/result', { taskId }, 'result')
      gone.owner?.lost()
      // Its answer is kept for it, so its id is still in use.
      expect(await client.request('tasks/result', { taskId }, 'result').answer()).toMatchObject(refusal)
      client.notify('notifications/cancelled', { requestId: 'result' })
      const next = client.request('tasks/result', { taskId }, 'result')
      next.owner?.lost()
      expect(await client.request('ping', {}, 'result').answer()).toMatchObject(refusal)
    }
    gate.resolve()
    for (const client of [here, there]) {
      await eventually(async () => {
        const { result } = await client.request('tasks/result', { taskId }, 'result').answer()
        expect(result).toMatchObject({ value: 3 })
      })
    }
  })

  it('are cancelled from any node, once', async () => {
    const { here, there, doing } = await start()
    const ended: unknown[] = []
    doing.call = (exchange) =>
      new Promise((resolve) => {
        exchange.onEnd({
          ended(reason) {
            ended.push(reason)
            resolve({ kind: 'complete', result: payloadOf({}) })
          },
        })
      })
    for (const [starter, other] of [
      [here, there],
      [there, here],
    ] as const) {
      ended.splice(0)
      const { taskId } = await begin(starter)
      const waiting = starter.request('tasks/result', { taskId })
      await eventually(async () => {
        expect(await ask(other, 'tasks/get', { taskId })).toMatchObject({ status: 'working' })
      })
      expect(await ask(other, 'tasks/cancel', { taskId })).toMatchObject({ taskId, status: 'cancelled' })
      expect((await waiting.answer()).error).toMatchObject({ data: { reason: 'cancelled' } })
      expect(await ask(other, 'tasks/cancel', { taskId })).toMatchObject({ code: -32_602 })
      expect(await ask(starter, 'tasks/get', { taskId })).toMatchObject({ status: 'cancelled' })
    }
  })

  it('are listed to their principal alone, page by page', async () => {
    const { one, here, there, params } = await start('2025-11-25', { pageItems: 2 })
    const ids: string[] = []
    for (const client of [here, there, here]) ids.push((await begin(client)).taskId)
    const first = (await ask(there, 'tasks/list', {})) as { tasks: Task[]; nextCursor: string }
    const second = (await ask(here, 'tasks/list', { cursor: first.nextCursor })) as { tasks: Task[] }
    const listed = [...first.tasks, ...second.tasks].map(({ taskId }) => taskId)
    expect(listed.toSorted()).toEqual(ids.toSorted())
    expect(second).not.toHaveProperty('nextCursor')
    const eve = await openClient(one, knownAs('eve'), params)
    expect(await ask(eve, 'tasks/list', {})).toEqual({ tasks: [] })
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect(await ask(eve, method, { taskId: ids[0] ?? '' })).toMatchObject({ code: -32_602 })
    }
    expect(await ask(here, 'tasks/list', { cursor: 'x' })).toMatchObject({ code: -32_602 })
  })

  it.each(['local', 'anonymous'])('are found by their ids alone by callers of %s', async (issuer) => {
    const { one, here, params } = await start()
    const identity = { ...identityOf(), principal: { issuer, subject: issuer, key: issuer } }
    const mine = await openClient(one, identity, params)
    expect(JSON.stringify(mine.opened.result)).not.toContain('"list":{}')
    const { taskId } = await begin(mine)
    const other = await openClient(one, identity, params)
    expect(await ask(other, 'tasks/list', {})).toMatchObject({ code: -32_601 })
    expect(await ask(other, 'tasks/result', { taskId })).toMatchObject({ value: 1 })
    expect(await ask(here, 'tasks/result', { taskId })).toMatchObject({ code: -32_602 })
  })

  it('are refused where the tool forbids them, and required where the tool requires them', async () => {
    const { here } = await start()
    expect(await ask(here, 'tools/call', { name: 'one__never', task: {} })).toMatchObject({ code: -32_601 })
    expect(await ask(here, 'tools/call', { name: 'one__always' })).toMatchObject({ code: -32_601 })
    expect(await ask(here, 'tools/call', { name: 'one__echo', task: { ttl: 'x' } })).toMatchObject({ code: -32_602 })
  })

  it('are used for a tool that requires them, also for clients without tasks', async () => {
    const { here, calls, doing, one } = await start()
    doing.call = (_exchange, { method, params }) => {
      const value = params?.value() as JsonObject
      if (method === 'tools/call') {
        return { kind: 'complete', result: payloadOf(value['task'] === undefined ? {} : { task: { taskId: 'up' } }) }
      }
      const related = { 'io.modelcontextprotocol/related-task': { taskId: 'up' } }
      return { kind: 'complete', result: payloadOf({ content: [], for: value['taskId'] ?? null, _meta: related }) }
    }
    const { taskId } = await begin(here, { name: 'one__always' })
    expect(await ask(here, 'tasks/result', { taskId })).toEqual({
      content: [],
      for: 'up',
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    })
    expect(calls.map(({ method }) => method)).toEqual(['tools/call', 'tasks/result'])
    const old = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
    const client = await openClient(one, knownAs('ada'), old)
    expect(await ask(client, 'tools/call', { name: 'one__always' })).toMatchObject({ content: [], for: 'up' })
  })

  it('are cancelled at their backend, if the backend has a task of its own', async () => {
    const { here, calls, doing } = await start()
    doing.call = (_exchange, { method }) => {
      if (method === 'tasks/result') return new Promise(() => {})
      return { kind: 'complete', result: payloadOf({ task: { taskId: 'up' } }) }
    }
    const { taskId } = await begin(here, { name: 'one__always' })
    await eventually(() => expect(calls).toHaveLength(2))
    await ask(here, 'tasks/cancel', { taskId })
    await eventually(() => expect(calls[2]).toMatchObject({ method: 'tasks/cancel' }))
    expect(calls[2]?.params?.value()).toEqual({ taskId: 'up' })
  })

  it('notify the session that started them of their status', async () => {
    const { here, there } = await start()
    const stream = there.resume()
    const { taskId } = await begin(here)
    const status = await stream.until(({ method }) => method === 'notifications/tasks/status')
    expect(status.params).toMatchObject({ taskId, status: 'completed' })
  })

  it('outlive their session', async () => {
    const { one, here, params, doing } = await start()
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => (go = resolve))
    doing.call = async () => {
      await gate
      return { kind: 'complete', result: payloadOf({ content: [], value: 2 }) }
    }
    const { taskId } = await begin(here)
    const next = await openClient(one, knownAs('ada'), params)
    const waiting = next.request('tasks/result', { taskId })
    go()
    expect((await waiting.answer()).result).toMatchObject({ value: 2 })
    await one.end(here.session, 'session_ended')
    expect(await ask(next, 'tasks/result', { taskId })).toMatchObject({ value: 2 })
  })

  it('continue when their session ends while they run, with its links and their questions', async () => {
    const { one, two, here, params, doing, backends } = await start()
    doing.call = async (exchange) => {
      const answer = await exchange.ask(elicit)
      return { kind: 'complete', result: payloadOf({ content: [], answer: 'result' in answer ? 'yes' : 'no' }) }
    }
    const { taskId } = await begin(here)
    const next = await openClient(two, knownAs('ada'), params)
    await eventually(async () => {
      expect(await ask(next, 'tasks/get', { taskId })).toMatchObject({ status: 'input_required' })
    })
    await one.end(here.session, 'disconnected')
    const own = (): number => backends[0]?.open.filter(({ scope }) => scope.session === here.session.id).length ?? 0
    expect(own()).toBe(1)
    const waiting = next.request('tasks/result', { taskId })
    const asked = await waiting.until(({ method }) => method === elicit.method)
    next.respond(asked.id as string, { action: 'accept', content: {} })
    expect((await waiting.answer()).result).toMatchObject({ answer: 'yes' })
    await eventually(() => expect(own()).toBe(0))
  })

  it('may take longer than a call, up to the limit of jobs', async () => {
    const { here, doing } = await start('2025-11-25', { jobMs: 300 }, { timeoutMs: 50 })
    doing.call = (exchange) =>
      new Promise((resolve) => {
        exchange.onEnd({ ended: () => resolve({ kind: 'complete', result: payloadOf({}) }) })
      })
    expect(await ask(here, 'tools/call', { name: 'one__echo' })).toMatchObject({
      data: { reason: 'deadline_exceeded' },
    })
    const began = performance.now()
    const { taskId } = await begin(here)
    expect(await ask(here, 'tasks/result', { taskId })).toMatchObject({ data: { reason: 'deadline_exceeded' } })
    expect(performance.now() - began).toBeGreaterThan(290)
    expect(await ask(here, 'tasks/get', { taskId })).toMatchObject({ status: 'failed' })
  })

  it('with a larger result than the limit have failed', async () => {
    const { here, doing } = await start('2025-11-25', { jobCharacters: 500 })
    doing.call = () => ({ kind: 'complete', result: payloadOf({ content: [], much: 'x'.repeat(500) }) })
    const { taskId } = await begin(here)
    expect(await ask(here, 'tasks/result', { taskId })).toMatchObject({ data: { reason: 'too_large' } })
    expect(
      await ask(here, 'tools/call', { name: 'one__echo', arguments: { a: 'x'.repeat(500) }, task: {} }),
    ).toMatchObject({
      data: { reason: 'too_large' },
    })
  })

  it('collect the pieces that a tool streams', async () => {
    const { here, there, doing } = await start()
    doing.call = async (exchange) => {
      for (let n = 0; n < 200; n += 1) await exchange.chunk('a')
      return { kind: 'complete', result: payloadOf({}) }
    }
    const { taskId } = await begin(here)
    expect(await ask(there, 'tasks/result', { taskId })).toMatchObject({
      content: [{ type: 'text', text: 'a'.repeat(200) }],
    })
  })
})
