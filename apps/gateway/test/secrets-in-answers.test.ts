import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHttpServer, type TestHttpServer } from '@junctor/testkit/http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestProcesses, type JunctorProcess } from './junctor-process.ts'

// Each test is several processes, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

// These do not look like secrets: only the configuration shows that they are.
const secrets = ['swordfish-of-the-bearer', 'ordinary words in a header', 'SWORDFISHREFERENCE', 'swordfish7env']
const token = 'swordfish-for-the-admin'

let folder: string
let upstream: TestHttpServer
const testProcesses = createTestProcesses()

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-secrets-'))
  upstream = await startHttpServer((request, response) => {
    const parts = [request.headers.authorization, request.headers['x-secret-word'], request.url, secrets[3], token]
    response.writeHead(401, { 'content-type': 'text/plain' }).end(`\u001b[31mrefused\u202e ${parts.join(' | ')}`)
  })
  const url = `${upstream.origin}/mcp`
  const config = {
    listen: { http: { port: 0 }, admin: { port: 0, token } },
    events: { file: 'events.ndjson' },
    audit: { file: 'audit.ndjson' },
    backends: {
      bearer: { url, auth: { bearer: secrets[0] } },
      header: { url, headers: { 'x-secret-word': secrets[1] } },
      reference: { url: `${url}/\${env:PLACE}` },
      other: { command: 'node', args: ['-e', ''], env: { SOME_KEY: secrets[3] } },
    },
  }
  writeFileSync(join(folder, 'junctor.json'), JSON.stringify(config))
})

afterEach(async () => {
  await testProcesses.end('SIGTERM')
  await upstream.close()
  rmSync(folder, { recursive: true })
})

function start(...words: readonly string[]): JunctorProcess {
  return testProcesses.start(words, { folder, env: { PLACE: secrets[2] ?? '' } })
}

/** The parts of a text that must not be there. */
function wrongIn(text: string): readonly string[] {
  const found = [...secrets, token, '\u001b', '\u202e'].filter((secret) => text.includes(secret))
  return text.includes('refused') ? found : ['the message of the server is missing']
}

test('serve: report, log, events, audit and status repeat no secret', async () => {
  const serve = start('serve', '--log-level', 'debug', '--json')
  const ready = await serve.line(/^(\{"ready":true.*\})$/m)
  expect(wrongIn(ready)).toEqual([])
  const { admin } = JSON.parse(ready) as { readonly admin: string }
  const asked = (path: string): Promise<string> =>
    fetch(`${admin}${path}`, { headers: { authorization: `Bearer ${token}` } }).then((answer) => answer.text())
  expect(wrongIn(await asked('/status'))).toEqual([])
  expect(wrongIn(await asked('/events'))).toEqual([])
  serve.child.kill('SIGTERM')
  await serve.ended()
  expect(wrongIn(serve.stderr())).toEqual([])
  expect(wrongIn(readFileSync(join(folder, 'events.ndjson'), 'utf8'))).toEqual([])
})

test('the report for people repeats no secret either', async () => {
  const serve = start('serve', '--log-level', 'silent')
  await serve.line(/^Ready on (http:\S+)$/m)
  // The command that shows the status contains the token, for the user at the terminal.
  expect(wrongIn(serve.stderr().replace(/^ {2}\S*junctor status .*$/m, ''))).toEqual([])
})

test.each([[[]], [['--json']]])('check %j repeats no secret', async (words) => {
  const check = start('check', '--timeout', '20s', ...words)
  await check.ended()
  expect(wrongIn(check.stdout())).toEqual([])
})
