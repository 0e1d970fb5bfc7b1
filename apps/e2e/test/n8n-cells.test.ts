import { beforeAll, expect } from 'vitest'
import { parseConfig } from '@junctor/config'
import type { JsonObject } from '@junctor/jsonrpc'
import { demoPlugin } from '@junctor/plugin-demo'
import type { Plugin } from '@junctor/plugin-sdk'
import { chora, pythonTimeoutMs } from '../src/chora.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import { openHttpClient } from '../src/wire-client.ts'

// The profile `n8n` over every transport, and beside plain MCP.

beforeAll(() => chora(), pythonTimeoutMs)

const everywhere = { revisions: ['2024-11-05'] } as const
const system = { config: { profile: 'n8n', server: { name: 'mcp-n8n', version: '0.4.0' } } }

/** As the document prints them, with the same members. */
const gatewayTools = [
  {
    name: 'gateway_status',
    description: 'Get status of the gateway and all backends',
    inputSchema: { type: 'object', properties: {}, required: [] },
  },
  {
    name: 'get_events',
    description: 'Query telemetry events from gateway event log',
    inputSchema: {
      type: 'object',
      properties: {
        trace_id: { type: 'string' },
        event_type: { type: 'string' },
        status: { type: 'string', enum: ['success', 'failure', 'pending'] },
        since: { type: 'string' },
        limit: { type: 'integer', default: 100 },
      },
      required: [],
    },
  },
]
const generateContent = {
  name: 'chora:generate_content',
  description: 'Generate content from templates using Claude',
  inputSchema: {
    type: 'object',
    properties: { generator_id: { type: 'string' }, variables: { type: 'object' } },
    required: ['generator_id'],
  },
}

const statusOf = (response: JsonObject): JsonObject => JSON.parse(textOf(response)) as JsonObject

verifies(['A-4', 'A-5'], everywhere, async (cell) => {
  await inGateway(
    cell,
    { demo: demo(), lean: lean({ instructions: 'Not for these clients.' }) },
    async ({ client }) => {
      const one = await client()
      const expected = {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'mcp-n8n', version: '0.4.0' },
      }
      expect(JSON.stringify(one.opened)).toBe(JSON.stringify(expected))
      await one.notify('initialized')
      await one.notify('initialized', {})
      expect(resultOf(await one.request('ping'))).toEqual({})
      // Only the handshake and the ping were answered.
      expect(one.received.map(({ message: { id } }) => id)).toEqual(['r0', 'r1'])
    },
    system,
  )
})

verifies('A-4', everywhere, async (cell) => {
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client }) => {
      for (const asked of ['2025-11-25', '2025-03-26', '2099-01-01']) {
        const { opened } = await client({ revision: asked as '2025-11-25' })
        expect(opened['protocolVersion']).toBe('2024-11-05')
      }
    },
    system,
  )
})

verifies('A-6', everywhere, async (cell) => {
  await inGateway(
    cell,
    { 'chora-composer': await chora(), other: lean({}, { prefix: 'far' }) },
    async ({ client }) => {
      const one = await client()
      const tools = resultOf(await one.request('tools/list'))['tools'] as unknown as readonly JsonObject[]
      // Including the order of members.
      expect(JSON.stringify(tools.slice(0, 3))).toBe(JSON.stringify([...gatewayTools, generateContent]))
      expect(tools.slice(3, 7).map(({ name }) => name)).toEqual([
        'chora:list_generators',
        'chora:wait',
        'chora:bare_result',
        'far:echo',
      ])
      expect(resultOf(await one.request('tools/list', {}))['tools']).toEqual(tools)
      expect(textOf(await one.request('tools/call', { name: 'chora:list_generators', arguments: {} }))).toContain(
        'python_script',
      )
    },
    system,
  )
})

verifies('A-6', everywhere, async (cell) => {
  // A policy for backends does not hide the gateway's own tools; the setting in the configuration does.
  const policy = { tenants: { default: { backends: ['demo'], tools: { allow: ['demo:echo'], deny: ['*:get*'] } } } }
  for (const shown of [true, false]) {
    await inGateway(
      cell,
      { demo: demo() },
      async ({ client }) => {
        const one = await client()
        const own = shown ? ['gateway_status', 'get_events'] : []
        expect(namesOf(await one.request('tools/list'))).toEqual([...own, 'demo:echo'])
        const call = await one.request('tools/call', { name: 'gateway_status', arguments: {} })
        if (shown) expect(statusOf(call)['backends']).toMatchObject({ demo: { tool_count: 1 } })
        else expect(errorOf(call)).toEqual({ code: -32601, message: 'Tool not found: gateway_status' })
      },
      { config: { ...system.config, ...policy, gatewayTools: shown } },
    )
  }
})

verifies('A-6', { revisions: ['2025-11-25'] }, async (cell) => {
  // Under another profile that enables them, they are exactly the same, and everything else follows that profile.
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client }) => {
      const one = await client()
      expect(one.opened).toMatchObject({
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
      })
      const tools = resultOf(await one.request('tools/list'))['tools'] as unknown as readonly JsonObject[]
      expect(JSON.stringify(tools.slice(0, 2))).toBe(JSON.stringify(gatewayTools))
      expect(tools[2]?.['name']).toMatch(/^demo__/)
      // The error is in the result, so that a model can correct it.
      const refused = await one.request('tools/call', { name: 'get_events', arguments: { limit: 'many' } })
      expect(resultOf(refused)['isError']).toBe(true)
      expect(textOf(refused)).toBe('limit: expected an integer from 1 to 1000, got "many"')
    },
    { config: { gatewayTools: true } },
  )
})

verifies(['A-3', 'A-7'], everywhere, async (cell) => {
  await inGateway(
    cell,
    { lean: lean(), slow: lean({}, { timeout: '300ms' }) },
    async ({ client }) => {
      const one = await client()
      const unknown = await one.request('tools/call', { name: 'unknown_tool', arguments: {} })
      expect(errorOf(unknown)).toEqual({ code: -32601, message: 'Tool not found: unknown_tool' })
      expect(errorOf(await one.request('unknown_method'))).toEqual({
        code: -32601,
        message: 'Method not found: unknown_method',
      })
      // Errors of the link itself also have the document's codes, with the reason.
      for (const [backend, tool, reason] of [
        ['slow', 'hang', 'deadline_exceeded'],
        ['lean', 'exit', 'backend_exited'],
      ] as const) {
        const lost = await one.request('tools/call', { name: `${backend}:${tool}`, arguments: {} })
        expect(errorOf(lost)).toMatchObject({ code: -32000, data: { reason, backend } })
      }
      const own = await one.request('tools/call', { name: 'lean:fail', arguments: { x: 1 } })
      expect(errorOf(own)).toMatchObject({ code: -32000, message: 'own words', data: { given: { x: 1 } } })
      const wrong = await one.request('tools/call', { name: 3 })
      expect(errorOf(wrong).code).toBe(-32602)
    },
    system,
  )
})

verifies('A-8', everywhere, async (cell) => {
  await inGateway(
    cell,
    { 'chora-composer': await chora(), dead: lean({ dead: true }, { prefix: 'd' }) },
    async ({ client }) => {
      const one = await client({ capabilities: { roots: {}, sampling: {} } })
      expect(statusOf(await one.request('tools/call', { name: 'gateway_status', arguments: {} }))).toEqual({
        gateway: {
          name: 'mcp-n8n',
          version: '0.4.0',
          config: { log_level: 'INFO', debug: false, backend_timeout: 7 },
        },
        backends: {
          'chora-composer': { status: 'running', namespace: 'chora', tool_count: 4 },
          dead: { status: 'failed', namespace: 'd', tool_count: 0 },
        },
        // In addition to the document, and only when there is something to report.
        ...(cell.nodes > 1 && { nodes: expect.any(Object) }),
      })
      // It is shown neither as a backend nor in the status for operators.
      expect(JSON.stringify(one.received)).not.toContain('$gateway')
    },
    { config: { ...system.config, timeout: '7s' } },
  )
})

verifies('A-8', everywhere, async (cell) => {
  await inGateway(
    cell,
    {
      there: demo(),
      hangs: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] },
    },
    async ({ client }) => {
      const one = await client()
      expect(statusOf(await one.request('tools/call', { name: 'gateway_status' }))['backends']).toMatchObject({
        there: { status: 'running' },
        hangs: { status: 'starting', tool_count: 0 },
      })
    },
    { config: { ...system.config, limits: { startWait: '100ms' } } },
  )
})

verifies('A-8', everywhere, async (cell) => {
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client, gateway }) => {
      const one = await client()
      const next = {
        ...system.config,
        // Without it, a reload ends what clients of the bus have open.
        ...(cell.way === 'bus' && { auth: { anonymous: true } }),
        timeout: '9s',
        backends: { demo: demo(), more: demo({ prefix: 'm' }) },
      }
      const plugins = [demoPlugin] as unknown as readonly Plugin[]
      for (const node of gateway.nodes) {
        const parsed = parseConfig(JSON.stringify(next), { file: 'junctor.json', plugins, env: {} })
        expect(await node.reload(parsed)).toMatchObject({ kind: 'taken' })
      }
      expect(statusOf(await one.request('tools/call', { name: 'gateway_status' }))).toMatchObject({
        gateway: { config: { backend_timeout: 9 } },
        backends: { demo: { namespace: 'demo' }, more: { status: 'running', namespace: 'm' } },
      })
      // The tools of the current backends are listed. No notification was sent, because list changes were not declared.
      expect(namesOf(await one.request('tools/list'))).toEqual(expect.arrayContaining(['gateway_status', 'm:echo']))
      expect(one.received.filter(({ message: { id } }) => id === undefined)).toEqual([])
    },
    system,
  )
})

verifies(['A-10', 'A-11'], everywhere, async (cell) => {
  await inGateway(
    cell,
    { 'chora-composer': await chora() },
    async ({ client }) => {
      const one = await client()
      expect(resultOf(await one.request('resources/list'))).toEqual({ resources: [] })
      expect(resultOf(await one.request('prompts/list'))).toEqual({ prompts: [] })
      expect(errorOf(await one.request('resources/read', { uri: 'file:///x' })).code).toBe(-32601)
      expect(errorOf(await one.request('prompts/get', { name: 'x' })).code).toBe(-32601)
    },
    system,
  )
  await inGateway(
    cell,
    { demo: demo({ prefix: '' }) },
    async ({ client }) => {
      const one = await client()
      expect(namesOf(await one.request('prompts/list'), 'prompts')).toEqual(['greeting'])
      const [resource] = resultOf(await one.request('resources/list'))['resources'] as unknown as readonly {
        uri: string
      }[]
      const read = resultOf(await one.request('resources/read', { uri: resource?.uri ?? '' }))
      expect(read['contents']).toHaveLength(1)
    },
    system,
  )
  await inGateway(
    cell,
    { lean: lean({ capabilities: { resources: {} } }, { prefix: '' }) },
    async ({ client }) => {
      const one = await client()
      // A single backend without a namespace gets the unlisted URIs; the gateway's own tools do not count as a backend.
      const read = resultOf(await one.request('resources/read', { uri: 'unlisted:1' }))
      expect(read['contents']).toEqual([{ uri: 'unlisted:1', text: 'contents of unlisted:1' }])
    },
    system,
  )
})

verifies(['A-2', 'A-4'], everywhere, async (cell) => {
  await inGateway(
    cell,
    { lean: lean(), demo: demo() },
    async ({ client }) => {
      const one = await client()
      // List changes and logging were not declared, so none are sent: the only notifications are requested progress.
      await one.request('tools/call', { name: 'lean:flood', arguments: {} })
      // Long enough for changes to be collected and sent.
      await one.request('tools/call', { name: 'demo:slow', arguments: { ms: 300 } })
      await one.request('tools/call', {
        name: 'demo:log',
        arguments: { text: 'received by no client' },
      })
      const call = { name: 'demo:progress', arguments: { steps: 2, delayMs: 1 }, _meta: { progressToken: 'p' } }
      await one.request('tools/call', call)
      const notifications = one.received.filter(({ message: { id } }) => id === undefined)
      expect(notifications.map(({ message: { method } }) => method)).toEqual(Array(2).fill('notifications/progress'))
    },
    { config: { ...system.config, limits: { listChanged: '1ms' } } },
  )
})

verifies('A-19', { ways: ['http'], revisions: ['2024-11-05', '2025-11-25'] }, async (cell) => {
  const tenants = {
    acme: { profile: 'n8n', backends: ['chora-composer', 'both'] },
    plain: { profile: 'mcp', backends: ['demo', 'both'] },
  }
  const backends = { 'chora-composer': await chora(), demo: demo(), both: demo() }
  await inGateway(
    cell,
    backends,
    async ({ gateway }) => {
      const at = (tenant: string) => ({ urls: gateway.urls.map((url) => `${url}/${tenant}`) })
      const acme = await openHttpClient(at('acme'), cell)
      const plain = await openHttpClient(at('plain'), cell)
      try {
        expect(Object.keys(acme.opened)).toEqual(['protocolVersion', 'capabilities', 'serverInfo'])
        expect(acme.opened).toMatchObject({ protocolVersion: '2024-11-05', capabilities: { tools: {} } })
        expect(plain.opened).toMatchObject({
          protocolVersion: cell.revision,
          capabilities: { tools: { listChanged: true }, logging: {} },
          instructions: expect.stringContaining('## demo'),
        })
        const names = namesOf(await acme.request('tools/list'))
        expect(names).toEqual(expect.arrayContaining(['gateway_status', 'chora:generate_content', 'both:echo']))
        expect(names.filter((name) => name.includes('demo') || name.includes('__'))).toEqual([])
        const plainNames = namesOf(await plain.request('tools/list'))
        expect(plainNames).toEqual(expect.arrayContaining(['demo__echo', 'both__echo']))
        expect(plainNames.filter((name) => /chora|gateway_|get_events|:/.test(name))).toEqual([])
        // Each tenant refuses with its own texts, also tools of the other.
        expect(errorOf(await acme.request('tools/call', { name: 'demo:echo' }))).toEqual({
          code: -32601,
          message: 'Tool not found: demo:echo',
        })
        expect(errorOf(await plain.request('tools/call', { name: 'gateway_status' }))).toMatchObject({
          code: -32602,
          message: 'Unknown tool: gateway_status',
          data: { reason: 'unknown_tool' },
        })
        const status = statusOf(await acme.request('tools/call', { name: 'gateway_status', arguments: {} }))
        expect(Object.keys(status['backends'] as JsonObject)).toEqual(['chora-composer', 'both'])
        const log = { arguments: { text: 'for clients to which logging was declared' } }
        await acme.request('tools/call', { name: 'both:log', ...log })
        await plain.request('tools/call', { name: 'both__log', ...log })
        expect(acme.messagesOf('notifications/message')).toEqual([])
        expect(plain.messagesOf('notifications/message')).toHaveLength(8)
      } finally {
        await acme.close()
        await plain.close()
      }
    },
    { config: { tenants } },
  )
})
