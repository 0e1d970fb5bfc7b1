import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { routes, type Script, type ScriptedServer, sendJson, startScriptedServer, statusOnly } from '@junctor/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestProcesses } from './junctor-process.ts'

// What the command line reads from a gateway of another version, and from damaged state files.

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let folder: string
const testProcesses = createTestProcesses()
let admin: ScriptedServer | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-foreign-'))
})
afterEach(async () => {
  await testProcesses.end('SIGKILL')
  await admin?.close()
  admin = undefined
  rmSync(folder, { recursive: true })
})

async function run(...words: readonly string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const one = testProcesses.start(words, { folder, env: { XDG_STATE_HOME: join(folder, 'state') } })
  return { code: await one.ended(), stdout: one.stdout(), stderr: one.stderr() }
}

/** Starts an admin port that answers every request with this text. Returns the words that name it. */
async function answering(body: string): Promise<readonly string[]> {
  admin = await startScriptedServer((_request, response) => void response.end(body))
  return ['--admin', admin.origin, '--token', 't']
}

const status = {
  node: 'ab12cd34',
  name: 'g',
  version: '9.0.0',
  startedAt: '2026-01-01T00:00:00.000Z',
  uptimeMs: 1_000,
  reload: { result: 'of-a-newer-version', problems: [] },
  sessions: {},
  tenants: ['default'],
  backends: [{ name: 'b', state: 'hibernating', tools: 1, links: 1, inFlight: 0, warnings: [], nodes: [], newer: [1] }],
  nodes: [],
  newer: { member: true },
}

test('a status of a newer version is shown, and printed whole as JSON', async () => {
  const place = await answering(JSON.stringify(status))
  const shown = await run('status', ...place)
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toContain('hibernating')
  const json = await run('status', '--json', ...place)
  expect(JSON.parse(json.stdout)).toEqual(status)
})

test.each<[string, string, RegExp]>([
  ['status', '<html>a proxy</html>', /answered with something else than JSON/],
  ['status', 'null', /this version of junctor cannot read the answer of .*: .*expected object/],
  ['status', JSON.stringify({ ...status, backends: null }), /cannot read the answer of .*: backends: /],
  ['events', '{"events":[]}', /cannot read the answer of .*: .*expected array/],
  ['events', 'no', /answered with something else than JSON/],
])('%s fails with a next step for the answer %j', async (command, body, message) => {
  const ended = await run(command, ...(await answering(body)))
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(message)
  expect(ended.stderr).toMatch(/version|Check that --admin/)
  expect(ended.stderr).not.toContain('    at ')
})

test('a gateway that does not answer the end of the session does not keep the command from ending', async () => {
  const answerWith =
    (result: JsonObject): Script =>
    ({ body }, response) =>
      sendJson(response, { jsonrpc: '2.0', id: body['id'] ?? null, result }, 200, { 'mcp-session-id': 's' })
  const serverInfo = { name: 'g', version: '1' }
  const tools = [{ name: 'far', inputSchema: { type: 'object' } }]
  admin = await startScriptedServer(
    routes({
      'POST initialize': answerWith({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
      'POST notifications/initialized': statusOnly(202),
      'POST tools/list': answerWith({ tools }),
      GET: statusOnly(405),
      DELETE: () => {},
    }),
  )
  expect(await run('tools', '--url', `${admin.origin}/mcp`)).toEqual({ code: 0, stdout: 'far\n', stderr: '' })
  expect(admin.received.map(({ method }) => method)).toContain('DELETE')
})

test.each(['null', '{"pid":1}', '{', '{"pid":1,"startedAt":1,"files":7}'])(
  'the state file %s is named with a next step, and is no crash',
  async (text) => {
    const state = join(folder, 'state/junctor')
    mkdirSync(state, { recursive: true })
    const file = join(state, `${process.pid}.json`)
    writeFileSync(file, text)
    chmodSync(file, 0o600)
    const ended = await run('status')
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(`${process.pid}.json of a running gateway is damaged or of another version`)
    expect(ended.stderr).toContain('name its admin port with --admin and --token')
    expect(ended.stderr).not.toContain('    at ')
  },
)
