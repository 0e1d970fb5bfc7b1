import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CheckResult } from '../src/check/check.ts'
import { diagnosisKinds } from '../src/check/diagnosis.ts'
import { expiredCertificate, testCredentials } from '@junctor/testkit'
import type { BrokenBackend, ExpectedText } from './broken-backend.ts'
import { brokenPrograms } from './broken-programs.ts'
import { startBrokenServers } from './broken-servers.ts'
import { type JunctorProcess, startJunctor, type StartOptions } from './junctor-process.ts'
import { startOnTerminal } from './terminal-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-check-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function check(text: string, words: readonly string[] = [], options: StartOptions = {}): JunctorProcess {
  writeFileSync(join(folder, 'junctor.yaml'), text)
  return startJunctor(['check', ...words], { folder, ...options })
}

const demo = 'backends:\n  demo: { plugin: "@junctor/plugin-demo" }\n'

describe('backends that do not work', () => {
  let broken: Awaited<ReturnType<typeof startBrokenServers>>
  let home: string
  const found = new Map<string, CheckResult['problems'][number]>()

  /** One file, a line for each backend. */
  async function checkAll(name: string, backends: readonly BrokenBackend[], timeout: string): Promise<number> {
    const file = join(home, name)
    const lines = backends.map((row) => `  ${row.name}: ${JSON.stringify(row.backend)}\n`)
    writeFileSync(file, `backends:\n${lines.join('')}`)
    const junctor = startJunctor(['check', '--config', file, '--json', '--timeout', timeout])
    const code = await junctor.ended()
    expect(junctor.stderr()).toBe('')
    expect(junctor.stdout()).not.toMatch(/my-old-token|very-secret/)
    for (const problem of (JSON.parse(junctor.stdout()) as CheckResult).problems)
      found.set(problem.backend ?? '', problem)
    return code as number
  }

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'junctor-broken-'))
    broken = await startBrokenServers()
  })
  afterAll(async () => {
    await broken.close()
    rmSync(home, { recursive: true })
  })

  test.each(['failing', 'hanging'] as const)(
    'are all reported with file and line, what was found, what was expected and what to do: %s',
    async (kind) => {
      const rows = [...brokenPrograms(home)[kind], ...broken[kind]]
      const timeout = kind === 'failing' ? '60s' : '3s'
      expect(await checkAll(`${kind}.yaml`, rows, timeout)).toBe(5)
      const reported = rows.map(({ name }) => found.get(name))
      expect(reported).toEqual(
        rows.map(({ name, kind: expectedKind, got, expected, next }, index) => ({
          kind: expectedKind,
          backend: name,
          file: join(home, `${kind}.yaml`),
          line: index + 2,
          column: 3,
          path: `backend ${name}`,
          got: like(got),
          expected: like(expected),
          next: like(next),
        })),
      )
    },
  )

  test('cover every kind that can be produced on one machine', () => {
    const elsewhere = ['no_route']
    const kinds = new Set([...found.values()].map(({ kind }) => kind))
    expect(diagnosisKinds.filter((kind) => !kinds.has(kind))).toEqual(elsewhere)
  })

  test('are reported to people together with those that work', async () => {
    const junctor = check(`${demo}  Gone: { command: no-such-program }\n`.replace('Gone', 'gone'))
    expect(await junctor.ended()).toBe(5)
    const text = junctor.stdout()
    expect(text).toMatch(
      /^up {6}demo {2}\d+ tools, 1 prompt, 1 resource, 1 template, 4 methods, 2025-11-25, .*, \d+ ms$/m,
    )
    expect(text).toMatch(/^failed {2}gone {2}no program "no-such-program" on the PATH$/m)
    expect(text).toContain(`${join(folder, 'junctor.yaml')}:3:3  backend gone
  got no program "no-such-program" on the PATH, expected a program that can be started
  Correct "command", install it, or write its whole path.

1 of 2 backends is well.
`)
    expect(junctor.stderr()).toBe('')
  })
})

function like(text: ExpectedText): unknown {
  const pattern = typeof text === 'string' ? `^${text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$` : text
  return expect.stringMatching(pattern)
}

test('reports that all is well, and leaves no process and no file', async () => {
  const files = 'events: { file: ./events.ndjson }\naudit: { file: ./audit.ndjson }\nlisten: { admin: { port: 1 } }\n'
  const junctor = check(`${files}${demo}`)
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stdout()).toMatch(/\nAll is well: 1 of 1 backends is well\.\n$/)
  expect(readdirSync(folder)).toEqual(['junctor.yaml'])
})

test('does not say that all is well when only a file cannot be written', async () => {
  const junctor = check(`events: { file: ./nowhere/events.ndjson }\n${demo}`)
  expect(await junctor.ended()).toBe(5)
  expect(junctor.stdout()).toMatch(/\n1 of 1 backends is well, but the configuration has a problem\.\n$/)
})

test('settings that are probably mistakes are only warnings', async () => {
  const tls = { cert: expiredCertificate, key: testCredentials.key }
  const expired =
    'listen.http.tls: the certificate of CN=localhost has expired: it is valid from 2024-01-01T00:00:00.000Z to 2025-01-01T00:00:00.000Z'
  const tools = '{ deny: ["demo:delete_*", "demo:echo"] }'
  const text = `${demo}tenants: { t: { backends: [demo], tools: ${tools} } }\nlisten: ${JSON.stringify({ http: { tls } })}\n`
  const warning = 'tenant t: tools.deny has "demo:delete_*", which matches no tool'
  const shown = check(text)
  expect(await shown.ended()).toBe(0)
  expect(shown.stdout()).toContain(
    `\nwarning ${expired}\nwarning ${warning}\n\nNo problems, 2 warnings: 1 of 1 backends is well.\n`,
  )
  const json = check(text, ['--json'])
  expect(await json.ended()).toBe(0)
  expect((JSON.parse(json.stdout()) as CheckResult).warnings).toEqual([expired, warning])
})

test('a file without backends is valid', async () => {
  const shown = check('backends: {}\n')
  expect(await shown.ended()).toBe(0)
  expect(shown.stdout()).toBe('The configuration is right; it has no backends. Add one: junctor add\n')
})

test('backends for workers are tried on this machine, without the fabric', async () => {
  const fabric = 'fabric: { nats: { servers: [nats://127.0.0.1:1], key: a-key-of-more-than-thirty-two-characters } }\n'
  const junctor = check(`${fabric}backends:\n  demo: { plugin: "@junctor/plugin-demo", runsOn: workers }\n`)
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stdout()).toMatch(/^up {6}demo .*\n\nAll is well: .*\nNATS was not tried: .*\n$/)
})

test('without a file it tries the demo, and removes its folder', async () => {
  const junctor = startJunctor(['check'], { folder, env: { TMPDIR: folder } })
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stdout()).toMatch(/^up {6}files {2}\d+ tools/m)
  expect(readdirSync(folder)).toEqual([])
})

test('names that two backends share are reported with both backends, at the place of the second', async () => {
  const one = '{ plugin: "@junctor/plugin-demo", prefix: same }'
  const junctor = check(`backends:\n  one: ${one}\n  two: ${one}\n`, ['--json'])
  expect(await junctor.ended()).toBe(3)
  const { problems } = JSON.parse(junctor.stdout()) as CheckResult
  expect(problems).toContainEqual({
    kind: 'name_collision',
    backend: 'two',
    file: join(folder, 'junctor.yaml'),
    line: 3,
    column: 3,
    path: 'backend two',
    got: 'the tool same__add, which one has too (tenant default)',
    expected: 'names that nothing else has: clients see neither',
    next: 'Give one of the two another "prefix".',
  })
})

describe('a configuration with problems', () => {
  const text = 'timeout: soon\nbackends: { a: { command: no-such-program } }\n'

  test('is reported with all of them, and no backend is tried', async () => {
    const junctor = check(text)
    expect(await junctor.ended()).toBe(3)
    expect(junctor.stdout()).toBe(`${join(folder, 'junctor.yaml')}:1:10  timeout
  got "soon", expected a duration above zero, such as 500ms, 30s, 2m or 1h
  Correct it, for example: timeout: 30s

The configuration has a problem; no backend was tried.
`)
    expect(junctor.stderr()).toBe('')
  })

  test('in JSON with --json', async () => {
    const junctor = check(text, ['--json'])
    expect(await junctor.ended()).toBe(3)
    expect(JSON.parse(junctor.stdout())).toMatchObject({ valid: false, problems: [{ path: 'timeout', line: 1 }] })
  })
})

describe('--show', () => {
  const secret = `server: { name: "\u00a0Gate" }
backends: { a: { url: "http://127.0.0.1:1/mcp", auth: { bearer: "\${env:TOKEN}" } } }
`

  test.each([
    ['YAML', [], (text: string) => parse(text) as unknown, 'name: "\u00a0Gate"'],
    ['JSON', ['--json'], (text: string) => JSON.parse(text) as unknown, '"name": "\u00a0Gate"'],
  ] as const)(
    'prints what is in effect as %s, without secrets and with quoted odd spaces, and connects to nothing',
    async (_name, words, read, name) => {
      const junctor = check(secret, ['--show', ...words], { env: { TOKEN: 'do-not-show' } })
      expect(await junctor.ended()).toBe(0)
      expect(junctor.stdout()).not.toContain('do-not-show')
      expect(junctor.stdout()).toContain(name)
      expect(read(junctor.stdout())).toMatchObject({
        timeout: '30s',
        listen: { http: { host: '127.0.0.1', port: 3000 } },
        backends: { a: { url: 'http://127.0.0.1:1/mcp', timeout: '30s', isolation: 'session' } },
        limits: { body: '4MiB' },
      })
    },
  )
})

test('a time-out is a duration', async () => {
  const junctor = check(demo, ['--timeout', 'soon'])
  expect(await junctor.ended()).toBe(2)
  expect(junctor.stderr()).toContain('such as 500ms, 30s or 2m')
})

describe('on a terminal', () => {
  test('it shows what it waits for, in colours', async () => {
    writeFileSync(join(folder, 'junctor.yaml'), demo)
    const junctor = startOnTerminal(['check'], { folder })
    expect(await junctor.ended()).toBe(0)
    expect(junctor.raw()).toContain('Waiting for demo')
    expect(junctor.raw()).toContain('\u001b[32mup\u001b[39m')
  })

  test('without colours where NO_COLOR says so', async () => {
    writeFileSync(join(folder, 'junctor.yaml'), demo)
    const junctor = startOnTerminal(['check'], { folder, env: { NO_COLOR: '1' } })
    expect(await junctor.ended()).toBe(0)
    expect(junctor.raw()).not.toContain('\u001b[3')
  })
})
