import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { parseConfig } from '@junctor/config'
import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { createNode } from '../src/index.ts'
import { eventually } from '@junctor/testkit'

const token = 'a-token-for-tests'

function post(url: string, message: object, session?: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      connection: 'close',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
}

async function start(audit: object) {
  let calls = 0
  const hello = createTool({
    metadata: { name: 'hello', description: 'Greets', inputSchema: { type: 'object' } },
    handler: () => `hello ${(calls += 1)}`,
  })
  const plugin = definePlugin({
    name: 'greeter',
    key: 'greet',
    config: z.object({ greet: z.string() }),
    create: (_options, { name, log }) => createBackend({ name, log, tools: [hello] }),
  }) as unknown as Plugin
  const listen = { http: { port: 0 }, admin: { port: 0, token } }
  const text = JSON.stringify({ listen, audit, backends: { a: { greet: 'x' } } })
  const parsed = parseConfig(text, { file: 'junctor.json', plugins: [plugin], env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const node = await createNode({ config: parsed.config })
  onTestFinished(() => node.close())
  const { http, admin } = await node.listen()
  const opened = await post(http.url, {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  })
  await opened.text()
  const session = opened.headers.get('mcp-session-id') ?? ''
  const asked = (path: string): Promise<string> =>
    fetch(`${admin?.url}${path}`, { headers: { authorization: `Bearer ${token}` } }).then((answer) => answer.text())
  return {
    calls: () => calls,
    status: async () => JSON.parse(await asked('/status')) as { readonly files: readonly object[] },
    metrics: () => asked('/metrics'),
    call: () => post(http.url, { id: 1, method: 'tools/call', params: { name: 'a__hello', arguments: {} } }, session),
    list: () => post(http.url, { id: 2, method: 'tools/list' }, session),
  }
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'junctor-audit-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

test('a required audit that cannot be written refuses calls, shows in status and metrics, and accepts them again later', async () => {
  const missing = join(folder(), 'not yet')
  const file = join(missing, 'audit.ndjson')
  const { calls, call, list, status, metrics } = await start({ file, required: true })
  await eventually(async () =>
    expect(await status()).toMatchObject({
      files: [{ name: 'audit', file, problem: expect.stringContaining('ENOENT') }],
    }),
  )
  const refused = await call()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.text()).toContain('audit')
  expect(calls()).toBe(0)
  expect((await list()).status).toBe(200)
  expect(await metrics()).toMatch(/^junctor_file_writable\{(?:.*,)?file="audit".*\} 0$/m)
  mkdirSync(missing)
  await eventually(async () => expect((await call()).status).toBe(200))
  await eventually(() => expect(readFileSync(file, 'utf8')).toContain('"action":"tool_call"'))
  expect(await metrics()).toMatch(/^junctor_file_writable\{(?:.*,)?file="audit".*\} 1$/m)
  expect((await status()).files).toEqual([{ name: 'audit', file, lost: 0 }])
})

test('an audit that is not required refuses no calls', async () => {
  const { call, status } = await start({ file: join(folder(), 'not yet', 'audit.ndjson') })
  await eventually(async () => expect(await status()).toMatchObject({ files: [{ problem: expect.any(String) }] }))
  expect((await call()).status).toBe(200)
})
