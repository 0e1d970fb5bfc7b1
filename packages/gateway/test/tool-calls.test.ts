import { describe, expect, it, onTestFinished } from 'vitest'
import { emitNothing, silentLog } from '@junctor/contracts'
import { createMemoryFabric } from '@junctor/fabric'
import type { JsonObject } from '@junctor/jsonrpc'
import {
  createBackend,
  createTool,
  type RequestContext,
  type Tool,
  ToolCallFailed,
  ToolResponse,
} from '@junctor/plugin-sdk'
import { eventually } from '@junctor/testkit'
import { z } from 'zod'
import { backendDefaults, type BackendEntry, hostBackend, remoteBackend, type TenantEntry } from '../src/index.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

type Work = (context: RequestContext, input: JsonObject) => Promise<string | ToolResponse>

/** A tool that takes any arguments. */
function tool(name: string, work: Work): Tool {
  const metadata = { name, description: name, inputSchema: { type: 'object' } }
  return createTool({ metadata, handler: (input, context) => work(context, input) })
}

/** The first text of a result, or the reason of an error. */
function textOf({
  result,
  error,
}: {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: unknown
}): unknown {
  const [block] = (result?.['content'] ?? []) as { text?: string }[]
  return block?.text ?? error
}

/** Calls another tool, and returns the reason when there is no result. */
const attempt =
  (name: string, input?: JsonObject): Work =>
  async (context) => {
    try {
      return await context.callTool(name, input)
    } catch (error) {
      return error instanceof ToolCallFailed ? `${error.reason}: ${error.message}` : `thrown: ${String(error)}`
    }
  }

const greet = tool('greet', async (_context, { name }) => `Hello, ${name as string}`)

interface StartOptions {
  readonly tenant?: Partial<TenantEntry>
  readonly entry?: Partial<BackendEntry>
  readonly revision?: string
}

describe.each(['this node', 'a worker'] as const)('a tool that calls tools, on %s', (place) => {
  /** A gateway with the backend `caller`, whose tool `run` does the work, and `helper` with the given tools. */
  async function start(
    work: Work,
    helpers: readonly Tool[] = [greet],
    { tenant, entry, revision = '2025-11-25' }: StartOptions = {},
  ) {
    const caller = createBackend({ name: 'caller', tools: [tool('run', work)] })
    const helper = createBackend({ name: 'helper', tools: helpers })
    const nodes = await startNodes((fabric) => {
      const backend = place === 'a worker' ? remoteBackend(caller, fabric) : caller
      const entries = [
        { ...backendDefaults, backend, prefix: 'caller', ...entry },
        { ...backendDefaults, backend: helper, prefix: 'helper' },
      ]
      return [{ ...tenantOf(entries), ...tenant }]
    })
    if (place === 'a worker') {
      const fabric = createMemoryFabric(nodes.bus)
      const parts = { fabric, log: silentLog, emit: emitNothing, unreadable: () => {}, changed: () => undefined }
      const hosted = await hostBackend({ backend: caller, maxLinks: 4 }, parts)
      onTestFinished(async () => {
        await hosted.close()
        await fabric.close()
      })
    }
    const [gateway] = nodes.gateways
    if (gateway === undefined) throw new Error('no gateway')
    const client = await openClient(gateway.front, identityOf(), {
      protocolVersion: revision,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    })
    const run = (input: JsonObject = {}, meta?: JsonObject, id?: string) =>
      client.request('tools/call', { name: 'caller__run', arguments: input, ...(meta && { _meta: meta }) }, id)
    return { client, run }
  }

  it.each(['helper:greet', 'helper__greet', 'helper'])('gets the result of %s', async (name) => {
    const { run } = await start((context) => context.callTool(name, { name: 'Ada' }))
    expect(textOf(await run().answer())).toBe('Hello, Ada')
  })

  it('reaches a tool with fetch, by a name that fits into an address', async () => {
    const { run } = await start(async ({ fetch }) => {
      const body = JSON.stringify({ name: 'Ada' })
      const answers = [
        await fetch('http://helper__greet.spin.internal/', { method: 'POST', body }),
        await fetch('http://nobody.spin.internal/', { method: 'POST', body }),
      ]
      return JSON.stringify([answers.map(({ status }) => status), await answers[0]?.json()])
    })
    expect(JSON.parse(String(textOf(await run().answer())))).toEqual([
      [200, 404],
      { content: [{ type: 'text', text: 'Hello, Ada' }] },
    ])
  })

  it('cannot reach a tool that is denied to its caller', async () => {
    const secret = tool('secret', async () => 'the secret')
    const { run } = await start(attempt('helper:secret'), [greet, secret], {
      tenant: { tools: { allow: undefined, deny: ['helper:secret'] } },
    })
    expect(textOf(await run().answer())).toMatch(/^unknown_tool: No result of helper:secret/)
  })

  it('cannot call itself', async () => {
    const { run } = await start(attempt('caller:run'))
    expect(textOf(await run().answer())).toMatch(/^tool_cycle: .*caller:run → caller:run is a cycle/)
  })

  it('cannot call itself through another tool', async () => {
    const { run } = await start(attempt('helper:back'), [tool('back', attempt('caller:run'))])
    expect(textOf(await run().answer())).toMatch(/^tool_cycle: .*caller:run → helper:back → caller:run is a cycle/)
  })

  it('cannot make a chain of more than eight tools', async () => {
    const chain = Array.from({ length: 9 }, (_, n) => tool(`t${n}`, attempt(`helper:t${n + 1}`)))
    const { run } = await start(attempt('helper:t0'), [...chain, greet])
    expect(textOf(await run().answer())).toMatch(/^tool_depth: .*caller:run → helper:t0 .*helper:t7 is a chain of more/)
  })

  it('gets everything of a result, also what the revision of the client does not have', async () => {
    const typed = createTool({
      metadata: {
        name: 'typed',
        description: 'Gives a number',
        inputSchema: z.object({}),
        outputSchema: z.object({ n: z.number() }),
      },
      handler: () => ToolResponse.json({ n: 7 }),
    })
    const { run } = await start(async (context) => JSON.stringify(await context.callTool('helper:typed')), [typed], {
      revision: '2024-11-05',
    })
    expect(textOf(await run().answer())).toContain('"structuredContent":{"n":7}')
  })

  it('gets the pieces of a streamed result together', async () => {
    const told = createTool({
      metadata: { name: 'told', description: 'Tells a story', inputSchema: { type: 'object' } },
      async *handler() {
        yield 'Once '
        yield 'upon a time'
      },
    })
    const { run } = await start((context) => context.callTool('helper:told'), [told])
    const { result } = await run({}, { progressToken: 'p' }).answer()
    expect(result).toEqual({ content: [{ type: 'text', text: 'Once upon a time' }] })
  })

  it('shows the progress of the other tool only when it asks for that', async () => {
    const slow = tool('slow', async (context) => {
      context.progress(1, 2, 'half')
      return 'done'
    })
    const { run } = await start(
      (context, { progress }) => context.callTool('helper:slow', {}, { progress: progress === true }),
      [slow],
    )
    const quiet = run({}, { progressToken: 'p' })
    await quiet.answer()
    expect(quiet.seen).toHaveLength(1)
    const loud = run({ progress: true }, { progressToken: 'q' })
    await loud.answer()
    expect(loud.seen.map(({ method, params }) => method && params)).toEqual([
      { progressToken: 'q', progress: 1, total: 2, message: 'half' },
      undefined,
    ])
  })

  it('lets the other tool ask the same client, and time stands still meanwhile', async () => {
    const asking = tool('asking', async (context) => {
      const answer = await context.elicit('Sure?', z.object({ yes: z.boolean() }))
      return answer.action === 'accept' ? `yes: ${answer.content.yes}` : answer.action
    })
    const { client, run } = await start((context) => context.callTool('helper:asking'), [asking], {
      entry: { timeoutMs: 300 },
    })
    const sink = run()
    const { id, params } = await sink.until(({ method }) => method === 'elicitation/create')
    expect(params?.['message']).toBe('[helper] Sure?')
    await new Promise((resolve) => setTimeout(resolve, 500))
    client.respond(String(id), { action: 'accept', content: { yes: true } })
    expect(textOf(await sink.answer())).toBe('yes: true')
  })

  it('ends the other tool when the client cancels', async () => {
    const ends: unknown[] = []
    const started = Promise.withResolvers<void>()
    const waiting = tool('waiting', (context) => {
      started.resolve()
      return new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => {
          ends.push(context.signal.reason)
          reject(new Error('ended'))
        })
      })
    })
    const { client, run } = await start((context) => context.callTool('helper:waiting'), [waiting])
    run({}, undefined, 'doomed')
    await started.promise
    client.notify('notifications/cancelled', { requestId: 'doomed' })
    await eventually(() => expect(ends).toEqual(['cancelled']))
  })

  it('has no more time for the other tool than it has itself, and less if it wants', async () => {
    const deadlines: number[] = []
    const late = tool('late', (context) => {
      deadlines.push(context.exchange.deadline)
      return new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(new Error('ended')))
      })
    })
    const began = Date.now()
    const { run } = await start(
      (context, { timeoutMs }) =>
        context.callTool('helper:late', {}, timeoutMs === undefined ? {} : { timeoutMs: Number(timeoutMs) }),
      [late],
      { entry: { timeoutMs: 1_000 } },
    )
    expect(textOf(await run({ timeoutMs: 50 }).answer())).toMatch(/No result of helper:late: .*deadline/)
    expect(deadlines[0]).toBeLessThan(began + 1_000)
    const { error } = await run().answer()
    expect(error?.data).toMatchObject({ reason: 'deadline_exceeded', backend: 'caller' })
    // The other backend alone would have 30 seconds.
    expect(deadlines[1]).toBeLessThan(Date.now() + 1_000)
  })

  it('ends the other tool when it answers without waiting for it', async () => {
    const ended = Promise.withResolvers<unknown>()
    const started = Promise.withResolvers<void>()
    const waiting = tool('waiting', (context) => {
      started.resolve()
      context.signal.addEventListener('abort', () => ended.resolve(context.signal.reason))
      return new Promise(() => {})
    })
    const { run } = await start(
      async (context) => {
        void context.callTool('helper:waiting').catch(() => undefined)
        await started.promise
        return 'done'
      },
      [waiting],
    )
    expect(textOf(await run().answer())).toBe('done')
    expect(await ended.promise).toBe('cancelled')
  })

  it('can cancel the other tool', async () => {
    const started = Promise.withResolvers<void>()
    const waiting = tool('waiting', () => {
      started.resolve()
      return new Promise(() => {})
    })
    const { run } = await start(
      async (context) => {
        const controller = new AbortController()
        const called = context.callTool('helper:waiting', {}, { signal: controller.signal })
        await started.promise
        controller.abort()
        return called.catch((error: unknown) => `${(error as ToolCallFailed).reason}`)
      },
      [waiting],
    )
    expect(textOf(await run().answer())).toBe('cancelled')
  })

  it('calls tools in a task, too', async () => {
    const { client } = await start((context) => context.callTool('helper:greet', { name: 'Ada' }))
    const params = { name: 'caller__run', arguments: {}, task: {} }
    const { result = {} } = await client.request('tools/call', params).answer()
    const { taskId } = result['task'] as { taskId: string }
    expect(textOf(await client.request('tasks/result', { taskId }).answer())).toBe('Hello, Ada')
  })
})
