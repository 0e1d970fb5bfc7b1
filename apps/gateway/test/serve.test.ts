import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { untilGone, eventually } from '@junctor/testkit'
import { createTestProcesses, type JunctorProcess, processTimeout, type StartOptions } from './junctor-process.ts'
import { startOnTerminal } from './terminal-process.ts'

let folder: string
const testProcesses = createTestProcesses()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-serve-'))
})
afterEach(async () => {
  await testProcesses.end('SIGKILL')
  rmSync(folder, { recursive: true })
})

function start(words: readonly string[], options: StartOptions = {}): JunctorProcess {
  return testProcesses.start(words, { folder, ...options })
}

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const demoOnly = 'listen: { http: { port: 0 } }\nbackends: { demo: { plugin: "@junctor/plugin-demo" } }\n'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** Resolves with the head of the response. */
function post(url: string, message: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(message),
  })
}

describe('without a configuration', () => {
  test('runs the demo: two backends, one of them a real server, and a line to try', async () => {
    const junctor = start(['serve', '--port', '0'], { env: { TMPDIR: folder } })
    const url = await junctor.line(/^Ready on (http:\S+)$/m)

    const text = junctor.stderr()
    expect(text).toMatch(/^Starting demo, files$/m)
    expect(text).toMatch(/^ {2}demo +up +\d+ tools$/m)
    expect(text).toMatch(/^ {2}files +up +\d+ tools$/m)
    expect(text).toContain('demo__add')
    expect(text).toContain('files__read_text_file')
    expect(text).toContain(`--cli ${url} --transport http --method tools/call --tool-name demo__add`)
    // The standard error of programs is logged at any time.
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    expect(lines.at(-1)).toBe(`Ready on ${url}`)
    expect((await post(url, initialize)).status).toBe(200)

    const processes = junctor.descendants()
    expect(processes.length).toBeGreaterThan(0)
    junctor.child.kill('SIGTERM')
    expect(await junctor.ended()).toBe(0)
    await untilGone(processes)
    expect(readdirSync(folder)).toEqual([])
    expect(junctor.stdout()).toBe('')
  })

  test('uses the file of the current folder', async () => {
    write('junctor.yaml', demoOnly)
    const junctor = start(['serve'])
    await junctor.line(/^Ready on (http:\S+)$/m)
    expect(junctor.stderr()).toMatch(/^Starting demo$/m)
  })
})

describe('ready', () => {
  test("is one line of JSON with --json, without Node's client for fetch, which takes long to load", async () => {
    const loaded = join(folder, 'loaded.txt')
    const listAtExit = `process.on('exit', () => require('node:fs').writeFileSync('${loaded}', process.moduleLoadList.join('\\n')))`
    const env = { NODE_OPTIONS: `--require ${write('list-at-exit.cjs', listAtExit)}` }
    const words = ['serve', '--config', write('demo.yaml', demoOnly), '--json', '--log-level', 'silent']
    const junctor = start(words, { env })
    const line = JSON.parse(await junctor.line(/^(.*)\n/)) as { http: string }
    expect(line).toEqual({
      ready: true,
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      node: expect.stringMatching(/^\w+$/),
      backends: [{ name: 'demo', state: 'up', tools: expect.arrayContaining(['demo__add']), warnings: [] }],
    })
    expect((await post(line.http, initialize)).status).toBe(200)
    junctor.child.kill('SIGINT')
    expect(await junctor.ended()).toBe(0)
    expect(junctor.stderr().trimEnd().split('\n')).toHaveLength(1)
    const modules = readFileSync(loaded, 'utf8').split('\n')
    expect(modules).toContain('NativeModule _http_server')
    expect(modules).not.toContain('NativeModule internal/deps/undici/undici')
  })

  test('is reported although a backend does not start, with the reason and what to do', async () => {
    const text = `${demoOnly}mcpServers: { Broken: { command: no-such-program } }\n`
    const junctor = start(['serve', '--config', write('broken.yaml', text), '--log-level', 'silent'])
    await junctor.line(/^Ready on (http:\S+)$/m)
    expect(junctor.stderr()).toMatch(/^ {2}demo +up +\d+ tools$/m)
    expect(junctor.stderr()).toMatch(/^ {2}broken +(?:down|crash looping) {2}\S.*no-such-program/m)
    expect(junctor.stderr()).toContain('Check its command or url in the configuration.')
  })

  test('has no colour without a terminal', async () => {
    const junctor = start(['serve', '--config', write('demo.yaml', demoOnly)], { env: { TERM: 'xterm-256color' } })
    await junctor.line(/^Ready on (http:\S+)$/m)
    expect(junctor.stderr()).not.toContain('\u001b')
  })

  test('is reported after "--", which package managers pass on', async () => {
    const file = write('demo.yaml', demoOnly)
    const junctor = start(['serve', '--', '--config', file])
    expect(await junctor.line(/^Ready on (http:\S+)$/m)).toMatch(/\/mcp$/)
  })
})

describe('--stdio', () => {
  const session = [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 'two', method: 'tools/list' },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'demo__add', arguments: { a: 2, b: 3 } } },
  ]

  test('serves one session, ends with its input, and writes only protocol messages', async () => {
    const junctor = start(['serve', '--stdio'], { env: { TMPDIR: folder } })
    await junctor.line(/^(Ready) on standard input and output$/m)
    for (const message of session) junctor.child.stdin.write(`${JSON.stringify(message)}\n`)
    await eventually(() => expect(junctor.stdout().split('\n')).toHaveLength(4), processTimeout.timeout)
    const processes = junctor.descendants()
    junctor.child.stdin.end()

    expect(await junctor.ended()).toBe(0)
    const answers = junctor
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; result: object })
    expect(new Map(answers.map(({ id, result }) => [id, result]))).toEqual(
      new Map<unknown, unknown>([
        [1, expect.objectContaining({ protocolVersion: '2025-11-25' })],
        ['two', { tools: expect.arrayContaining([expect.objectContaining({ name: 'files__read_text_file' })]) }],
        [3, expect.objectContaining({ structuredContent: { sum: 5 } })],
      ]),
    )
    await untilGone(processes)
    expect(readdirSync(folder)).toEqual([])
  })

  test('answers requests that came before its input ended', async () => {
    const junctor = start(['serve', '--stdio', '--config', write('demo.yaml', demoOnly)])
    junctor.child.stdin.end(session.map((message) => JSON.stringify(message)).join('\n'))
    expect(await junctor.ended()).toBe(0)
    expect(junctor.stdout().trimEnd().split('\n')).toHaveLength(3)
  })

  test('ends on a signal although its input is still open', async () => {
    const junctor = start(['serve', '--stdio', '--config', write('demo.yaml', demoOnly)])
    await junctor.line(/^(Ready) on standard input and output$/m)
    junctor.child.kill('SIGTERM')
    expect(await junctor.ended()).toBe(0)
  })
})

describe('a start that fails reports why and what to do', () => {
  test('with all problems of the configuration', async () => {
    const file = write('bad.yaml', 'timeout: soon\nlisten: { http: { prot: 1 } }\nbackends: { a: { comand: x } }\n')
    const junctor = start(['serve', '--config', file])
    expect(await junctor.ended()).toBe(3)
    expect(junctor.stderr()).toBe(`${file}:1:10  timeout
  got "soon", expected a duration above zero, such as 500ms, 30s, 2m or 1h
  Correct it, for example: timeout: 30s

${file}:2:19  listen.http.prot
  got an unknown word, expected allowedHosts, allowedOrigins, host, port, tls or trustedProxies
  Did you mean "port"?

${file}:3:13  backends.a
  got comand, expected exactly one of the words authServer, command, openapi, plugin, tool, url or wasm
  Did you mean "command"?

The configuration has 3 problems; nothing was started.
`)
    expect(junctor.stdout()).toBe('')
  })

  test('in JSON with --json', async () => {
    const file = write('bad.yaml', 'timeout: soon\n')
    const junctor = start(['serve', '--config', file, '--json'])
    expect(await junctor.ended()).toBe(3)
    expect(JSON.parse(junctor.stderr())).toMatchObject({ ready: false, problems: [{ file, line: 1, path: 'timeout' }] })
  })

  test('without the file that it was started with', async () => {
    const junctor = start(['serve', '--config', 'nowhere.yaml'])
    expect(await junctor.ended()).toBe(3)
    expect(junctor.stderr()).toContain('nowhere.yaml:1:1\n  got no such file')
  })

  test('on a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const junctor = start(['serve', '--config', write('demo.yaml', demoOnly), '--port', String(port)])
    expect(await junctor.ended()).toBe(4)
    expect(junctor.stderr()).toContain(`Cannot listen on 127.0.0.1:${port}`)
    expect(junctor.stderr()).toContain('Another program listens there.')
    other.close()
  })

  test('on an address that others can reach, when clients need no credentials', async () => {
    const junctor = start(['serve', '--config', write('demo.yaml', demoOnly), '--host', '0.0.0.0'])
    expect(await junctor.ended()).toBe(3)
    expect(junctor.stderr()).toContain('auth')
  })

  test.each([
    [['serve', '--prot', '1'], '(Did you mean --port?)'],
    [['serve', '--port', 'x'], 'Expected a number from 0 to 65535.'],
    [['serve', '--log-level', 'loud'], 'Allowed choices are debug, info, warn, error, silent.'],
    [['srve'], '(Did you mean serve?)'],
    [[], 'Usage: junctor'],
  ])('with the words %j', async (words, message) => {
    const junctor = start(words)
    expect(await junctor.ended()).toBe(2)
    expect(junctor.stderr()).toContain(message)
    expect(junctor.stdout()).toBe('')
  })
})

test('a second signal ends it immediately, together with its backends', async () => {
  const junctor = start(['serve', '--port', '0'], { env: { TMPDIR: folder } })
  const url = await junctor.line(/^Ready on (http:\S+)$/m)
  const session = (await post(url, initialize)).headers.get('mcp-session-id') ?? ''
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'demo__slow' } }
  const underWay = await post(url, call, { 'mcp-session-id': session })
  const processes = junctor.descendants()
  // After the first signal it accepts no new clients, and waits for the running call.
  junctor.child.kill('SIGTERM')
  await eventually(() => expect(post(url, initialize)).rejects.toThrow('fetch failed'), processTimeout.timeout)
  junctor.child.kill('SIGTERM')
  expect(await junctor.ended()).toBe(143)
  expect(junctor.stderr()).toContain('stopping: requests under way are finished first')
  await expect(underWay.text()).rejects.toThrow('terminated')
  await untilGone(processes)
})

test('a configuration that changes while it ends is not read', async () => {
  const file = write('ending.yaml', `${demoOnly}limits: { grace: 2s }\n`)
  const junctor = start(['serve', '--config', file])
  const url = await junctor.line(/^Ready on (http:\S+)$/m)
  const session = (await post(url, initialize)).headers.get('mcp-session-id') ?? ''
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'demo__slow' } }
  const underWay = await post(url, call, { 'mcp-session-id': session })
  junctor.child.kill('SIGTERM')
  await eventually(() => expect(post(url, initialize)).rejects.toThrow('fetch failed'), processTimeout.timeout)
  junctor.child.kill('SIGHUP')
  await underWay.text().catch(() => 'cut')
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stderr()).not.toMatch(/read again|internal error/)
})

test('--help shows examples for every command', async () => {
  const helps = [start(['--help']), start(['serve', '--help']), start(['hash-key', '--help'])]
  expect(await Promise.all(helps.map((one) => one.ended()))).toEqual([0, 0, 0])
  expect(helps.map((one) => one.stdout()).every((text) => /Examples?:\n/.test(text))).toBe(true)
})

describe('hash-key', () => {
  const key = '0123456789abcdef0123456789abcdef'
  const hash = 'sha256:3eb1bd439947eb762998e566ccc2e099c791118b2f40579cc4f7da2b5061b7f9'

  test('prints the value for the configuration, and the key opens the gateway', async () => {
    const fromArgument = start(['hash-key', key])
    const fromInput = start(['hash-key'])
    fromInput.child.stdin.end(`${key}\n`)
    expect(await Promise.all([fromArgument.ended(), fromInput.ended()])).toEqual([0, 0])
    expect([fromArgument.stdout(), fromInput.stdout()]).toEqual([`${hash}\n`, `${hash}\n`])

    const file = write('keys.yaml', `${demoOnly}auth: { apiKeys: { me: { hash: "${hash}" } } }\n`)
    const junctor = start(['serve', '--config', file])
    const url = await junctor.line(/^Ready on (http:\S+)$/m)
    expect((await post(url, initialize)).status).toBe(401)
    expect((await post(url, initialize, { authorization: `Bearer ${key}` })).status).toBe(200)
    expect(junctor.stderr()).toContain('--header "Authorization: Bearer $API_KEY"')
  })

  test('on a terminal asks for the key, and does not show it', async () => {
    const junctor = startOnTerminal(['hash-key'])
    await junctor.typed(/The key.*: $/, key)
    expect(await junctor.ended()).toBe(0)
    expect(junctor.screen()).toContain(`\n${hash}\n`)
    expect(junctor.screen()).not.toContain(key)
  })

  test('ends at Ctrl-C without a word about the key', async () => {
    const junctor = startOnTerminal(['hash-key'])
    await junctor.pressed(/The key.*: $/, '\u0003')
    expect(await junctor.ended()).not.toBe(0)
    expect(junctor.screen()).not.toContain('expected a key')
  })

  test.each([
    ['short', 'expected a key of at least 20 characters, got 5'],
    ['with a space in the middle of it', 'expected a key of letters, digits and -._~+/ only'],
  ])('refuses %j', async (bad, message) => {
    const junctor = start(['hash-key', bad])
    expect(await junctor.ended()).toBe(2)
    expect(junctor.stderr()).toContain(message)
    expect(junctor.stdout()).toBe('')
  })
})

test.each([
  ['once more prints its hash', 'correct horse battery', 0, /\n\$scrypt\$ln=15/],
  ['in another way is refused', 'correct horse batery', 2, /expected the same password twice/],
])('a password that is typed on a terminal and %s', async (_, again, code, printed) => {
  const junctor = startOnTerminal(['hash-password'])
  await junctor.typed(/The password, .*: $/, 'correct horse battery')
  await junctor.typed(/The password again, .*: $/, again)
  expect(await junctor.ended()).toBe(code)
  expect(junctor.screen()).toMatch(printed)
  expect(junctor.screen()).not.toContain('horse')
})
