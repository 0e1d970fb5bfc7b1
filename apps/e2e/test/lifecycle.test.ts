import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { handshakeRevisions } from '../src/cell.ts'
import { startGateway } from '../src/gateway-under-test.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { errorOf, namesOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import { openWire } from '../src/wire-client.ts'

verifies('MCP-1.1', {}, async (cell) => {
  const gateway = await startGateway({ ...cell, config: { backends: { demo: demo() } } })
  const wire = await openWire(gateway, cell)
  await wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  await wire.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
  const refused = await wire.until(({ message }) => message['id'] === 1)
  const pong = await wire.until(({ message }) => message['id'] === 2)
  expect(errorOf(refused.message).code).toBe(-32000)
  expect(pong.message).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  await wire.close()
  await gateway.close()
})

verifies('MCP-1.2', { revisions: handshakeRevisions }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const { opened } = await client()
    expect(opened['protocolVersion']).toBe(cell.revision)
  })
})

verifies('MCP-1.2', {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    for (const asked of ['2026-07-28', '1999-01-01', 'nonsense']) {
      const { opened } = await client({ revision: asked as '2025-11-25' })
      expect(opened['protocolVersion']).toBe('2025-11-25')
    }
  })
})

verifies(['MCP-1.3', 'MCP-1.14', 'MCP-6.22'], {}, async (cell) => {
  const backends = { demo: demo(), odd: lean({ revision: '1999-01-01' }), dead: lean({ dead: true }) }
  await inGateway(cell, backends, async ({ client }) => {
    const one = await client()
    const names = namesOf(await one.request('tools/list'))
    expect(names).toContain('demo__echo')
    expect(names.filter((name) => !name.startsWith('demo__'))).toEqual([])
    const lost = await one.request('tools/call', { name: 'odd__echo', arguments: {} })
    expect(errorOf(lost)).toMatchObject({ code: -32000, data: { reason: 'backend_unavailable', backend: 'odd' } })
    const found = await one.request('tools/call', { name: 'demo__echo', arguments: { message: 'still here' } })
    expect(textOf(found)).toBe('still here')
  })
})

verifies(['MCP-1.4', 'MCP-1.9'], {}, async (cell) => {
  const bare = { tools: {} }
  await inGateway(cell, { lean: lean({ capabilities: bare }) }, async ({ client }) => {
    const { opened } = await client()
    // Tasks are implemented by the gateway, for every backend.
    const tasks = { cancel: {}, requests: { tools: { call: {} } } }
    expect(opened['capabilities']).toEqual({ tools: { listChanged: true }, tasks })
  })
  await inGateway(cell, { lean: lean({ capabilities: bare }), demo: demo() }, async ({ client }) => {
    const { opened } = await client()
    expect(Object.keys(opened['capabilities'] as JsonObject).toSorted()).toEqual([
      'completions',
      'logging',
      'prompts',
      'resources',
      'tasks',
      'tools',
    ])
  })
})

verifies(['MCP-1.5', 'MCP-1.8', 'MCP-1.12'], {}, async (cell) => {
  await inGateway(
    cell,
    { own: lean({}, { isolation: 'session' }), all: lean({}, { isolation: 'shared' }) },
    async (scene) => {
      const one = await scene.client({
        capabilities: { sampling: {}, roots: { listChanged: true } },
        name: 'secret name',
      })
      const received = async (tool: string) => {
        const lines = textOf(await one.request('tools/call', { name: tool, arguments: {} })).split('\n')
        const messages = lines.map((line) => JSON.parse(line) as { method: string; params: JsonObject })
        // The question for its era, which it may not understand, comes before everything else.
        return messages.filter(({ method }) => method !== 'server/discover')
      }
      const own = await received('own__received')
      const [initialize, initialized] = own
      expect([initialize?.method, initialized?.method]).toEqual(['initialize', 'notifications/initialized'])
      expect(initialize?.params['capabilities']).toEqual({ sampling: {}, roots: { listChanged: true } })
      const [shared] = await received('all__received')
      // Views ask nothing of a client; all else is not declared for a link of several clients.
      expect(Object.keys(shared?.params['capabilities'] as JsonObject)).toEqual(['extensions'])
      expect(JSON.stringify(initialize?.params['clientInfo'])).not.toContain('secret name')
    },
  )
})

verifies(['MCP-1.11', 'MCP-1.13'], {}, async (cell) => {
  const backends = {
    one: lean({ instructions: 'Use one first.' }),
    silent: lean(),
    two: lean({ instructions: 'Then two.' }, { prefix: 'second' }),
  }
  const config = { server: { name: 'my-gateway', version: '7.0.0' } }
  await inGateway(
    cell,
    backends,
    async ({ client }) => {
      const { opened } = await client()
      expect(opened['serverInfo']).toEqual({ name: 'my-gateway', version: '7.0.0' })
      expect(opened['instructions']).toBe('## one\n\nUse one first.\n\n## second\n\nThen two.')
    },
    { config },
  )
})
