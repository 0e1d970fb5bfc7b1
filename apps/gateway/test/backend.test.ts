import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type JunctorProcess, startJunctor, type StartOptions } from './junctor-process.ts'
import { runHere } from './run-here.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const token = 'a-token-for-tests'
const home = process.cwd()
let folder: string
let gateway: JunctorProcess
let behind: JunctorProcess
let urls: { readonly http: string; readonly admin: string }
/** The URL of another gateway, with the demo behind it. */
let other: string

async function serve(file: string, text: string): Promise<[JunctorProcess, typeof urls]> {
  writeFileSync(join(folder, file), text)
  const started = startJunctor(['serve', '--config', file, '--json', '--log-level', 'silent'], { folder })
  return [started, JSON.parse(await started.line(/^(.*)\n/)) as typeof urls]
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-backend-'))
  const far = 'listen: { http: { port: 0 } }\nbackends: { demo: { plugin: "@junctor/plugin-demo", prefix: "" } }\n'
  const [started, { http }] = await serve('far.yaml', far)
  behind = started
  other = http
  const near = `listen: { http: { port: 0 }, admin: { port: 0, token: ${token} } }
backends: { demo: { plugin: "@junctor/plugin-demo" } }
`
  const [one, ready] = await serve('near.yaml', near)
  gateway = one
  urls = ready
  process.chdir(folder)
  vi.stubEnv('JUNCTOR_ADMIN_URL', urls.admin)
  vi.stubEnv('JUNCTOR_ADMIN_TOKEN', token)
})
afterAll(async () => {
  for (const one of [gateway, behind]) one.child.kill('SIGTERM')
  await Promise.all([gateway.ended(), behind.ended()])
  vi.unstubAllEnvs()
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

interface Run {
  readonly code: number | NodeJS.Signals
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command in the process of this test, or in one of its own when it has input. */
async function run(words: readonly string[], env: StartOptions['env'] = {}, input?: string): Promise<Run> {
  const command = input === undefined ? runHere(words, { env }) : startWith(input, words, { folder, env })
  const code = await command.ended()
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

function startWith(input: string, words: readonly string[], options: StartOptions): JunctorProcess {
  const started = startJunctor(words, options)
  started.child.stdin.end(input)
  return started
}

const backend = (words: readonly string[], env: StartOptions['env'] = {}, input?: string): Promise<Run> =>
  run(['backend', ...words], { JUNCTOR_ADMIN_URL: urls.admin, JUNCTOR_ADMIN_TOKEN: token, ...env }, input)

describe('junctor backend', () => {
  test('adds a server that a client can use, changes it and removes it', async () => {
    const env = { FAR_TOKEN: 'tr0ut-and-salmon' }
    const added = await backend(['add', 'far', other, '--bearer-env', 'FAR_TOKEN', '--prefix', 'remote'], env)
    expect(added).toEqual({ code: 0, stdout: 'far: added\n', stderr: '' })
    const called = await run(['call', 'remote__add', 'a=1', 'b=2', '--url', urls.http])
    expect({ code: called.code, stdout: called.stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3'),
    })

    const list = await backend(['list'])
    expect(list.stdout).toBe(`demo  file   plugin: @junctor/plugin-demo\nfar   added  url: ${other}  for default\n`)
    const json = await backend(['list', '--json'])
    expect(json.stdout).not.toContain('tr0ut')
    expect(JSON.parse(json.stdout)).toMatchObject({ backends: [{ name: 'demo' }, { name: 'far', revision: 1 }] })

    const again = await backend(['add', 'far', other])
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/"far" is there, at revision 1\n.*"change" for others/)

    const described = JSON.stringify({ url: other, prefix: 'changed' })
    expect(await backend(['change', 'far', '--from', '-'], {}, described)).toMatchObject({
      code: 0,
      stdout: 'far: changed\n',
    })
    expect((await run(['tools', '--url', urls.http])).stdout).toContain('changed__add')

    expect(await backend(['remove', 'far'])).toMatchObject({ code: 0, stdout: 'far: removed\n' })
    expect((await run(['tools', '--url', urls.http])).stdout).not.toContain('changed__add')
    const gone = await backend(['remove', 'far'])
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringMatching(/there is no backend "far"\n.*backend list/) })
  })

  test.each<readonly [string, number, readonly string[], RegExp]>([
    ['no description', 2, ['add', 'more'], /expected a URL, or --from/],
    [
      'a program',
      2,
      ['add', 'more', '--from', 'program.yaml'],
      /only the configuration file names programs.*\n.*configuration file/,
    ],
    [
      'a name of the file',
      1,
      ['add', 'demo', 'https://a.example/mcp'],
      /a name that the configuration file does not have/,
    ],
    ['a backend of the file to remove', 1, ['remove', 'demo'], /"demo" is in the configuration file/],
    ['one that is not there to change', 1, ['change', 'more', 'https://a.example/mcp'], /there is no backend "more"/],
    ['a name that is none', 2, ['add', 'More', 'https://a.example/mcp'], /expected a name/],
    ['a URL that is none', 2, ['add', 'more', 'mcp.example.com'], /url: expected/],
    [
      'a variable that is not set',
      2,
      ['add', 'more', 'https://a.example/mcp', '--bearer-env', 'NONE'],
      /variable NONE to be set/,
    ],
    ['an unknown tenant', 2, ['add', 'more', 'https://a.example/mcp', '--tenant', 'defualt'], /Did you mean "default"/],
    ['a file that is not there', 2, ['add', 'more', '--from', 'none.yaml'], /none\.yaml cannot be read/],
    ['a file that is no mapping', 2, ['add', 'more', '--from', 'list.yaml'], /list\.yaml has no mapping/],
    ['another token', 1, ['list', '--token', 'another'], /expects another token/],
  ])('refuses %s, and says what to do', async (_, expected, words, message) => {
    writeFileSync(join(folder, 'program.yaml'), 'command: sh\n')
    writeFileSync(join(folder, 'list.yaml'), '- url\n')
    const { code, stdout, stderr } = await backend(words)
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^junctor: .+\n {2}\S.+\n$/)
  })
})
