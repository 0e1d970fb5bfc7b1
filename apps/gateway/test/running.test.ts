import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@junctor/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestProcesses, type JunctorProcess } from './junctor-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const token = 'a-token-for-tests'
let folder: string
const testProcesses = createTestProcesses()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-running-'))
})
afterEach(async () => {
  await testProcesses.end('SIGKILL')
  rmSync(folder, { recursive: true })
})

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): JunctorProcess {
  return testProcesses.start(words, { folder, env: { XDG_STATE_HOME: join(folder, 'state'), ...env } })
}

function write(file: string, name: string, adminToken = token): void {
  const listen = `listen: { http: { port: 0 }, admin: { port: 0, token: "${adminToken}" } }`
  writeFileSync(
    join(folder, file),
    `${listen}\nserver: { name: ${name} }\nbackends: { demo: { plugin: "@junctor/plugin-demo" } }\n`,
  )
}

async function serve(file: string, env: Readonly<Record<string, string>> = {}): Promise<JunctorProcess> {
  const one = start(['serve', '--config', file, '--json', '--log-level', 'silent'], env)
  await one.line(/^(.*"ready":true.*)\n/)
  return one
}

async function run(...words: readonly string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const one = start(words)
  return { code: await one.ended(), stdout: one.stdout(), stderr: one.stderr() }
}

const kept = (): readonly string[] =>
  existsSync(join(folder, 'state/junctor')) ? readdirSync(join(folder, 'state/junctor')) : []

test('a gateway is found when its file is invalid, with a note; only its user can read the state file', async () => {
  write('junctor.yaml', 'first')
  const gateway = await serve('junctor.yaml')
  writeFileSync(join(folder, 'junctor.yaml'), 'timeout: soon\n')
  const note =
    /^junctor: \S*junctor\.yaml has problems, the first in line 1: got "soon"; the gateway that runs with it is asked at http:\/\/127\.0\.0\.1:\d+/
  for (const words of [
    ['status'],
    ['status', '--config', 'junctor.yaml'],
    ['events'],
    ['tools'],
    ['call', 'demo__echo', 'message=x'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a user would
    const { code, stdout, stderr } = await run(...words)
    expect.soft([words, code, stderr]).toEqual([words, 0, expect.stringMatching(note)])
    expect(stdout).not.toBe('')
  }
  rmSync(join(folder, 'junctor.yaml'))
  expect(await run('status')).toMatchObject({ code: 0, stdout: expect.stringContaining('first 0.') })

  const state = join(folder, 'state/junctor')
  expect(kept()).toEqual([`${gateway.child.pid}.json`])
  expect(statSync(state).mode & 0o777).toBe(0o700)
  const file = join(state, `${gateway.child.pid}.json`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  chmodSync(file, 0o644)
  expect(await run('status')).toMatchObject({ code: 2 })
  chmodSync(file, 0o600)

  gateway.child.kill('SIGTERM')
  expect(await gateway.ended()).toBe(0)
  expect(kept()).toEqual([])
})

test('a variable that only the gateway has does not prevent a query', async () => {
  write('junctor.yaml', 'first', '${env:ADMIN_TOKEN}')
  await serve('junctor.yaml', { ADMIN_TOKEN: token })
  const { code, stdout, stderr } = await run('status')
  expect([code, stderr]).toEqual([0, expect.stringMatching(/ADMIN_TOKEN.*; the gateway that runs with it is asked at/)])
  expect(stdout).toMatch(/^first /)
})

test('each configuration finds its own gateway, also by a link, and a killed gateway is not queried', async () => {
  write('one.yaml', 'first')
  write('two.yaml', 'second')
  symlinkSync('two.yaml', join(folder, 'linked.yaml'))
  const [one] = await Promise.all([serve('one.yaml'), serve('two.yaml')])
  expect(await run('status', '--config', 'one.yaml')).toMatchObject({
    stdout: expect.stringMatching(/^first /),
    stderr: '',
  })
  expect(await run('status', '--config', 'two.yaml')).toMatchObject({ stdout: expect.stringMatching(/^second /) })
  expect(await run('status', '--config', 'linked.yaml')).toMatchObject({ stdout: expect.stringMatching(/^second /) })

  one.child.kill('SIGKILL')
  await one.ended()
  expect(kept()).toHaveLength(2)
  const { code, stderr } = await run('status', '--config', 'one.yaml')
  expect([code, stderr]).toEqual([1, expect.stringContaining('lets the system choose the admin port')])
  await serve('one.yaml')
  expect(kept()).toHaveLength(2)
  expect(kept()).not.toContain(`${one.child.pid}.json`)
  expect(await run('status', '--config', 'one.yaml')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^first /),
  })
})

test('of two gateways with one file, the one at its port is queried, and then the other', async () => {
  const port = await freePort()
  const listen = `listen: { http: { port: 0 }, admin: { port: ${port}, token: ${token} } }`
  writeFileSync(join(folder, 'junctor.yaml'), `${listen}\nbackends: {}\n`)
  const first = await serve('junctor.yaml')
  const second = start(['serve', '--json', '--log-level', 'silent', '--admin-port', '0'])
  const { admin } = JSON.parse(await second.line(/^(.*"ready":true.*)\n/)) as { admin: string }
  const nodeOf = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await run('status', '--json', ...words)
    return (JSON.parse(stdout) as { node: string }).node
  }
  const later = await nodeOf('--admin', admin)
  expect(await nodeOf()).not.toBe(later)
  first.child.kill('SIGTERM')
  await first.ended()
  expect(await nodeOf()).toBe(later)
})

test('a gateway that cannot write its state file still serves', async () => {
  write('junctor.yaml', 'first')
  writeFileSync(join(folder, 'state'), 'a file')
  const gateway = await serve('junctor.yaml')
  gateway.child.kill('SIGTERM')
  expect(await gateway.ended()).toBe(0)
})
