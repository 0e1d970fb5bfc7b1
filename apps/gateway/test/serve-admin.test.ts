import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestProcesses, type JunctorProcess, type StartOptions } from './junctor-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let folder: string
const testProcesses = createTestProcesses()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-admin-'))
})
afterEach(async () => {
  await testProcesses.end('SIGTERM')
  rmSync(folder, { recursive: true })
})

function start(words: readonly string[], options: StartOptions = {}): JunctorProcess {
  return testProcesses.start(words, { folder, ...options })
}

interface Ready {
  readonly http: string
  readonly admin?: string
}

async function serveJson(text: string, words: readonly string[], env = {}): Promise<Ready> {
  writeFileSync(join(folder, 'junctor.yaml'), text)
  const junctor = start(['serve', '--json', '--log-level', 'silent', ...words], { env })
  return JSON.parse(await junctor.line(/^(.*)\n/)) as Ready
}

const demo = 'backends: { demo: { plugin: "@junctor/plugin-demo" } }\n'
const statusOf = (admin: string | undefined, token: string): Promise<number> =>
  fetch(`${admin}/status`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status)

test('the demo has one, with a token of its own in a command that can be copied', async () => {
  const junctor = start(['serve', '--port', '0'], { env: { TMPDIR: folder } })
  await junctor.line(/^Ready on (http:\S+)$/m)
  const [, words = ''] = /^ {2}\S*junctor (status --admin \S+ --token \S+)$/m.exec(junctor.stderr()) ?? []
  const status = start(words.split(' '))
  expect(await status.ended()).toBe(0)
  expect(status.stdout()).toMatch(/^ {2}demo +up +\d+ tools/m)
  const other = start(['status', ...words.split(' ').slice(1, 3), '--token', 'another'])
  expect(await other.ended()).toBe(1)
})

test('is in the ready line, at the configured address', async () => {
  const ready = await serveJson(
    `${demo}listen: { http: { port: 0 }, admin: { port: 0, token: a-token-for-tests } }\n`,
    [],
  )
  expect(ready.admin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await statusOf(ready.admin, 'a-token-for-tests')).toBe(200)
})

test('is not opened by default', async () => {
  const ready = await serveJson(`${demo}listen: { http: { port: 0 } }\n`, [])
  expect(ready).not.toHaveProperty('admin')
})

test('--admin-port opens one, with the token from the environment', async () => {
  const env = { JUNCTOR_ADMIN_TOKEN: 'a-token-from-outside' }
  const ready = await serveJson(`${demo}listen: { http: { port: 0 } }\n`, ['--admin-port', '0'], env)
  expect(await statusOf(ready.admin, 'a-token-from-outside')).toBe(200)
})

test('--admin-port overrides the port of the configuration, and keeps its token', async () => {
  const text = `${demo}listen: { http: { port: 0 }, admin: { port: 1, token: a-token-for-tests } }\n`
  const ready = await serveJson(text, ['--admin-port', '0'], { JUNCTOR_ADMIN_TOKEN: 'a-token-from-outside' })
  expect(await statusOf(ready.admin, 'a-token-for-tests')).toBe(200)
  expect(await statusOf(ready.admin, 'a-token-from-outside')).toBe(401)
})
