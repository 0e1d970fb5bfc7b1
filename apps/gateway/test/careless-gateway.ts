import { EventEmitter } from 'node:events'
import process from 'node:process'
import { createLastResort } from '@junctor/command'
import { parseConfig } from '@junctor/config'
import type { Backend, Link } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { createNode } from '@junctor/node'
import { demoPlugin } from '@junctor/plugin-demo'
import { createBackend, createTool, definePlugin, type Plugin, type RequestContext } from '@junctor/plugin-sdk'
import { createLog } from '@junctor/telemetry'

// A gateway whose plugins make every kind of mistake. The errors must not affect other calls. On SIGUSR2, its own code
// throws an uncaught error.

const failure = (): never => {
  throw new Error('what only the plugin knows')
}

/** The mistakes of a tool that is made with the SDK. */
const ways: Readonly<Record<string, (context: RequestContext) => unknown>> = {
  throws: failure,
  rejects: () => Promise.reject(new Error('what only the plugin knows')),
  leaves_a_rejection: () => {
    void Promise.reject(new Error('left'))
    return 'done'
  },
  rejects_later: async () => {
    void (async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      failure()
    })()
    return 'done'
  },
  throws_in_a_timer: () => {
    setTimeout(failure, 10)
    return 'done'
  },
  throws_in_an_immediate: () => {
    setImmediate(failure)
    return 'done'
  },
  emits_an_error: () => {
    setTimeout(() => new EventEmitter().emit('error', new Error('emitted')), 10)
    return 'done'
  },
  throws_when_it_ends: ({ exchange }) => {
    exchange.onEnd({ ended: failure })
    return new Promise(() => {})
  },
  throws_when_it_is_aborted: ({ signal }) => {
    signal.addEventListener('abort', failure)
    return new Promise(() => {})
  },
  throws_between_pieces: async function* pieces() {
    yield 'one'
    await new Promise((resolve) => setTimeout(resolve, 10))
    failure()
  },
  sends_what_is_no_json: ({ exchange }) => {
    const circular: unknown[] = []
    circular.push(circular)
    void exchange.chunk(circular)
    return 'done'
  },
  returns_nothing: () => undefined,
}

/** The outcomes of a link that is written by hand. */
const outcomes: Readonly<Record<string, () => unknown>> = {
  throws: failure,
  rejects: () => Promise.reject(new Error('what only the plugin knows')),
  nothing: () => undefined,
  null: () => null,
  number: () => 7,
  later_nothing: () => Promise.resolve(),
  no_kind: () => ({}),
  no_result: () => ({ kind: 'complete' }),
  no_error: () => ({ kind: 'error' }),
  later_no_result: () => Promise.resolve({ kind: 'complete', result: {} }),
}

const sdkPlugin: Plugin = definePlugin({
  name: 'careless',
  key: 'plugin',
  config: demoPlugin.config,
  create: (_, { name, log }) =>
    createBackend({
      name,
      log,
      tools: Object.entries(ways).map(([tool, handler]) =>
        createTool({
          metadata: { name: tool, description: tool, inputSchema: { type: 'object' } },
          handler: (_input, context) => handler(context) as string,
        }),
      ),
    }),
})

const rawPlugin: Plugin = definePlugin({
  name: 'raw',
  key: 'plugin',
  config: demoPlugin.config,
  create: (_, { name }): Backend => ({
    name,
    correlates: true,
    open: () => Promise.resolve(rawLink()),
    close: () => Promise.resolve(),
  }),
})

function rawLink(): Link {
  const closed = Promise.withResolvers<undefined>()
  return {
    server: { revision: '2025-11-25', capabilities: { tools: {} }, info: {}, instructions: undefined },
    list: () =>
      Promise.resolve(Object.keys(outcomes).map((name) => payloadOf({ name, inputSchema: { type: 'object' } }))),
    call(request) {
      const { name = '' } = (request.params?.value() ?? {}) as { name?: string }
      return outcomes[name]?.() as Outcome
    },
    notify: () => {},
    closed: closed.promise,
    close: async () => closed.resolve(undefined),
  }
}

const plugins = [sdkPlugin, rawPlugin, demoPlugin]
const content = {
  listen: { http: { port: 0 }, admin: { port: 0 } },
  backends: {
    careless: { plugin: 'careless', timeout: '500ms' },
    raw: { plugin: 'raw', timeout: '2s' },
    demo: { plugin: demoPlugin.name },
  },
}
const parsed = parseConfig(JSON.stringify(content), { file: 'careless', plugins, env: {} })
if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
const log = createLog(process.stderr, { level: 'error' })
const lastResort = createLastResort(process, log)
const node = await createNode({ config: parsed.config, log })
lastResort.watch(node)
process.on('SIGUSR2', () => setImmediate(failure))
const { http, admin } = await node.listen()
process.stdout.write(`${JSON.stringify({ http: http.url, admin: admin?.url })}\n`)
await lastResort.failed
await node.close()
process.exit(1)
