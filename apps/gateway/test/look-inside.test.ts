import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes, type ScriptedServer, sendJson, startScriptedServer, statusOnly, eventually } from '@junctor/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createTestProcesses,
  type JunctorProcess,
  processTimeout,
  startJunctor,
  type StartOptions,
} from './junctor-process.ts'
import { runHere } from './run-here.ts'
import { startOnTerminal } from './terminal-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const token = 'a-token-for-tests'
const home = process.cwd()
let folder: string
let gateway: JunctorProcess
let admin: string
let url: string
const testProcesses = createTestProcesses()
let scripted: ScriptedServer | undefined

/** Serves the folder's file. The admin port is a free one by default. */
async function serve(adminPort = '0'): Promise<JunctorProcess> {
  const words = ['serve', '--config', 'gateway.yaml', '--json', '--log-level', 'silent', '--admin-port', adminPort]
  const started = startJunctor(words, { folder })
  const ready = JSON.parse(await started.line(/^(.*)\n/)) as { http: string; admin: string }
  url = ready.http
  admin = ready.admin
  return started
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-look-'))
  const text = `listen: { http: { port: 0 }, admin: { token: ${token} } }
backends: { demo: { plugin: "@junctor/plugin-demo" }, gone: { command: no-such-program } }
`
  writeFileSync(join(folder, 'gateway.yaml'), text)
  gateway = await serve()
  process.chdir(folder)
})
afterEach(async () => {
  await testProcesses.end('SIGKILL')
  await scripted?.close()
  scripted = undefined
})
afterAll(async () => {
  gateway.child.kill('SIGTERM')
  await gateway.ended()
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

function start(words: readonly string[], options: StartOptions = {}): JunctorProcess {
  return testProcesses.start(words, { folder, ...options })
}

const call = async (tool: string, ...words: readonly string[]): Promise<void> => {
  expect([0, 1]).toContain(await runHere(['call', tool, ...words, '--url', url]).ended())
}

describe('status', () => {
  test('shows the state of each backend', async () => {
    const status = start(['status', '--admin', admin, '--token', token])
    expect(await status.ended()).toBe(0)
    expect(status.stdout()).toMatch(/^junctor \S+ {2}node \S+, up \d+s$/m)
    expect(status.stdout()).toMatch(/^ {2}demo {2}up +\d+ tools, \d+ links?, 0 calls$/m)
    expect(status.stdout()).toMatch(/^ {2}gone {2}(?:down|crash looping) .*no-such-program/m)
    expect(status.stderr()).toBe('')
  })

  test('takes the token from the file and the address from the environment, and prints JSON', async () => {
    const env = { JUNCTOR_ADMIN_URL: admin }
    const status = start(['status', '--config', 'gateway.yaml', '--json'], { env })
    expect(await status.ended()).toBe(0)
    expect(JSON.parse(status.stdout())).toMatchObject({
      tenants: ['default'],
      backends: expect.arrayContaining([expect.objectContaining({ name: 'demo', state: 'up' })]),
    })
  })

  test('has colours on a terminal', async () => {
    const status = startOnTerminal(['status', '--admin', admin, '--token', token], { folder })
    expect(await status.ended()).toBe(0)
    expect(status.raw()).toContain('\u001b[32mup ')
  })

  test.each([
    [
      ['--admin', 'http://127.0.0.1:1023', '--token', 'x'],
      1,
      /nothing answers at http:\/\/127\.0\.0\.1:1023: .*ECONNREFUSED/,
    ],
    [['--admin', 'http://127.0.0.1:1023'], 2, /expected a token, got none/],
    [['--admin', 'nonsense', '--token', 'x'], 2, /'nonsense' is invalid. Expected a URL such as http/],
    [['--token', 'x'], 2, /expected the address of the admin port, got none/],
    [[], 2, /expected --admin and --token, or a configuration that has listen\.admin/],
    [['--config', 'without.yaml'], 3, /without\.yaml has no listen\.admin\n {2}Add listen: /],
    [['--config', 'tokenless.yaml'], 3, /tokenless\.yaml has no listen\.admin\.token/],
    [
      ['--config', 'bad.yaml'],
      3,
      /bad\.yaml has problems, the first in line 1: got "soon"\n.*junctor check --config bad\.yaml/,
    ],
  ])('with %j reports what is missing', async (words, code, message) => {
    writeFileSync(join(folder, 'without.yaml'), 'backends: {}\n')
    writeFileSync(join(folder, 'tokenless.yaml'), 'listen: { admin: {} }\n')
    writeFileSync(join(folder, 'bad.yaml'), 'timeout: soon\n')
    const status = runHere(['status', ...words])
    expect(await status.ended()).toBe(code)
    expect(status.stderr()).toMatch(message)
    expect(status.stdout()).toBe('')
  })

  test('is refused with another token', async () => {
    const status = runHere(['status', '--admin', admin, '--token', 'another'])
    expect(await status.ended()).toBe(1)
    expect(status.stderr()).toContain(`${admin} expects another token\n  Give that of listen.admin.token`)
  })

  test('is refused by a gateway without a token, with the reason', async () => {
    writeFileSync(join(folder, 'open.yaml'), 'listen: { http: { port: 0 }, admin: { port: 0 } }\n')
    const open = start(['serve', '--config', 'open.yaml', '--json', '--log-level', 'silent'])
    const ready = JSON.parse(await open.line(/^(.*)\n/)) as { admin: string }
    const status = runHere(['status', '--admin', ready.admin, '--token', 'x'])
    expect(await status.ended()).toBe(1)
    expect(status.stderr()).toMatch(
      /answers no queries: .*\n {2}Set listen\.admin\.token and start the gateway again\./,
    )
  })

  test('is not available on the port for clients', async () => {
    const status = runHere(['status', '--admin', new URL(url).origin, '--token', token])
    expect(await status.ended()).toBe(1)
    expect(status.stderr()).toMatch(/is not an admin port.*\n {2}Correct --admin/)
  })

  test('reports the answer of another server', async () => {
    scripted = await startScriptedServer(routes({ GET: statusOnly(502) }))
    const status = runHere(['status', '--admin', scripted.origin, '--token', 'x'])
    expect(await status.ended()).toBe(1)
    expect(status.stderr()).toContain(`${scripted.origin} answered with HTTP 502`)
  })
})

describe('events', () => {
  test('are shown with the newest last, and filtered', async () => {
    await call('demo__echo', 'message=x')
    await call('demo__ask')
    const all = runHere(['events', '--admin', admin, '--token', token])
    const failures = runHere(['events', '--admin', admin, '--token', token, '--type', 'gateway.tool_call', '--json'])
    expect(await Promise.all([all.ended(), failures.ended()])).toEqual([0, 0])
    expect(all.stdout()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+ \w+ +gateway\.tool_call .*trace=[0-9a-f-]{36}$/m)
    const events = failures
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    expect(new Set(events.map((event) => event['event_type']))).toEqual(new Set(['gateway.tool_call']))
    const times = events.map((event) => Date.parse(event['timestamp'] ?? ''))
    expect(times).toEqual(times.toSorted((one, other) => one - other))
  })

  test.each([
    [['--since', 'soon'], /^junctor: --since: expected an ISO 8601 time.*got "soon"\n {2}Correct it/],
    [['--limit', '0'], /^junctor: --limit: expected/],
    [['--type', 'gateway.called'], /^junctor: --type: expected one of gateway\.started/],
    [['--tenant', 'nobody'], /^junctor: --tenant: expected one of the configuration.*"nobody"\n.*junctor status/],
  ])('with %j are refused with the reason', async (words, message) => {
    const events = runHere(['events', '--admin', admin, '--token', token, ...words])
    expect(await events.ended()).toBe(2)
    expect(events.stderr()).toMatch(message)
  })

  test('--follow shows new events, reconnects when the gateway is back, and ends with a signal', async () => {
    const followed = start(['events', '--admin', admin, '--token', token, '--follow', '--type', 'session.opened'])
    const opened = (): number => followed.stdout().split('\n').length - 1
    const before = async (): Promise<number> => {
      await call('demo__echo', 'message=x')
      return opened()
    }
    await eventually(async () => expect(await before()).toBeGreaterThan(0), 30_000)

    gateway.child.kill('SIGTERM')
    await gateway.ended()
    const seen = opened()
    gateway = await serve(new URL(admin).port)
    await call('demo__echo', 'message=x')
    await eventually(() => expect(opened()).toBeGreaterThan(seen), processTimeout.timeout)
    const lines = followed.stdout().trimEnd().split('\n')
    expect(new Set(lines).size).toBe(lines.length)

    followed.child.kill('SIGINT')
    expect(await followed.ended()).toBe(0)
    expect(followed.stderr()).toBe('')
  })

  test.each([
    ['without --follow, is the end by that signal', [], 'SIGINT'],
    ['with --follow, is the regular end', ['--follow'], 0],
  ])('a signal while the gateway has not answered, %s', async (_what, words, ended) => {
    const asked = Promise.withResolvers<void>()
    scripted = await startScriptedServer(routes({ GET: () => asked.resolve() }))
    const events = start(['events', '--admin', scripted.origin, '--token', token, ...words])
    await asked.promise
    events.child.kill('SIGINT')
    expect(await events.ended()).toBe(ended)
    expect(events.stderr()).toBe('')
  })

  test('--follow ends when its reader wants no more', async () => {
    const event = (_request: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('{"timestamp":"1"}\n')
    scripted = await startScriptedServer(routes({ GET: event }))
    const followed = start(['events', '--admin', scripted.origin, '--token', token, '--follow', '--json'])
    followed.child.stdout.destroy()
    expect(await followed.ended()).toBe(0)
    expect(followed.stderr()).toBe('')
  })

  test('--follow ends with 1 when the gateway refuses the reconnect', async () => {
    let asked = 0
    scripted = await startScriptedServer(
      routes({
        GET(_request, response) {
          asked += 1
          if (asked === 1)
            response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('{"timestamp":"1"}\n')
          else sendJson(response, { error: 'unauthorized', message: 'no' }, 401)
        },
      }),
    )
    const followed = runHere(['events', '--admin', scripted.origin, '--token', token, '--follow', '--json'])
    expect(await followed.ended()).toBe(1)
    expect(followed.stdout()).toBe('{"timestamp":"1"}\n')
    expect(followed.stderr()).toContain('expects another token')
    expect(scripted.received[1]?.path).toBe('/events?follow=true&since=1&limit=1000')
  })
})
