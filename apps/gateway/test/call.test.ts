import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { hashApiKey } from '@junctor/auth'
import { eventually, freePort, untilGone } from '@junctor/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createTestProcesses,
  type JunctorProcess,
  processTimeout,
  startJunctor,
  type StartOptions,
} from './junctor-process.ts'
import { type CommandHere, runHere } from './run-here.ts'
import { startOnTerminal } from './terminal-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const key = '0123456789abcdef0123456789abcdef'
const home = process.cwd()
let folder: string
let gateway: JunctorProcess
let url: string
let admin: string
const testProcesses = createTestProcesses()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-call-'))
  writeFileSync(join(folder, 'junctor.yaml'), 'backends: { demo: { plugin: "@junctor/plugin-demo" } }\n')
  const listen = { http: { port: 0 }, admin: { port: 0, token: key } }
  const keys = JSON.stringify({ listen, auth: { apiKeys: { me: { hash: hashApiKey(key) } } } })
  writeFileSync(
    join(folder, 'keys.json'),
    `${keys.slice(0, -1)},"backends":{"demo":{"plugin":"@junctor/plugin-demo"}}}`,
  )
  gateway = startJunctor(['serve', '--config', 'keys.json', '--json', '--log-level', 'silent'], { folder })
  const ready = JSON.parse(await gateway.line(/^(.*)\n/)) as { readonly http: string; readonly admin: string }
  url = ready.http
  admin = ready.admin
  process.chdir(folder)
})
afterEach(async () => {
  await testProcesses.end('SIGKILL')
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

async function outcome(words: readonly string[], options: StartOptions = {}): Promise<object> {
  return outcomeOf(start(words, options))
}

/** The same in the process of this test. */
async function outcomeHere(words: readonly string[]): Promise<object> {
  return outcomeOf(runHere(words))
}

async function outcomeOf(junctor: CommandHere): Promise<object> {
  const code = await junctor.ended()
  return { code, stdout: junctor.stdout(), stderr: junctor.stderr() }
}

describe('tools', () => {
  test('are listed with their arguments, from a gateway that is started for it', async () => {
    const listed = start(['tools'])
    expect(await listed.ended()).toBe(0)
    expect(listed.stdout()).toMatch(/^demo__add a=number b=number\n {2}\S/m)
    expect(listed.stdout()).toMatch(/^demo__slow \[ms=integer\]$/m)
    expect(listed.stderr()).toBe('')
  })

  test('are listed as JSON, from one that runs', async () => {
    const listed = runHere(['tools', '--url', url, '--key', key, '--json'])
    expect(await listed.ended()).toBe(0)
    expect(JSON.parse(listed.stdout())).toContainEqual(expect.objectContaining({ name: 'demo__add' }))
  })

  test.each(['backends: { gone: { command: no-such-program } }', 'backends: {}'])(
    'that are none are noted, with the command that says why: %s',
    async (config) => {
      const empty = mkdtempSync(join(folder, 'empty-'))
      writeFileSync(join(empty, 'junctor.yaml'), `${config}\n`)
      const listed = start(['tools'], { folder: empty })
      expect(await listed.ended()).toBe(0)
      expect(listed.stdout()).toBe('')
      expect(listed.stderr()).toMatch(/^junctor: no backend offers a tool, .*"junctor check"/)
    },
  )

  test('of the demo, when there is no configuration', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'))
    const listed = start(['tools'], { folder: empty, env: { TMPDIR: empty } })
    expect(await listed.ended()).toBe(0)
    expect(listed.stdout()).toContain('files__read_text_file path=string')
  })
})

describe('call', () => {
  test('saves an image in a file, and overwrites none', async () => {
    const words = ['call', 'demo__image', '--url', url, '--key', key, '--save', 'picture.png']
    const saved = {
      code: 0,
      stdout: '[image image/png, 105 bytes]\n',
      stderr: 'Saved picture.png (image/png, 105 bytes)\n',
    }
    expect(await outcomeHere(words)).toEqual(saved)
    expect(readFileSync(join(folder, 'picture.png')).subarray(1, 4).toString()).toBe('PNG')
    expect(await outcomeHere(words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/picture\.png is there already, and is not overwritten\n {2}Remove it/),
    })
    const none = ['call', 'demo__add', 'a=1', 'b=2', '--url', url, '--key', key, '--save', 'sum.png']
    expect(await outcomeHere(none)).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was saved') })
  })

  test('prints what the tool answered', async () => {
    expect(await outcome(['call', 'demo__echo', 'message=hello there'])).toEqual({
      code: 0,
      stdout: 'hello there\n',
      stderr: '',
    })
  })

  test.each([
    ['words', ['a=9007199254740993', 'b=1']],
    ['JSON', ['--args', '{"a":9007199254740993,"b":1}']],
  ])('numbers of %s are sent with their digits', async (_what, args) => {
    expect(await outcomeHere(['call', 'demo__add', '--url', url, '--key', key, ...args])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('/a: 9007199254740993 would become 9007199254740992'),
    })
  })

  test('arguments come from a file or from standard input', async () => {
    writeFileSync(join(folder, 'args.json'), '{"a":1,"b":3}')
    const words = ['call', 'demo__add', '--url', url, '--key', key, '--json', '--args']
    expect(await outcomeHere([...words, '@args.json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('4'),
    })
    const typed = start([...words, '-'])
    typed.child.stdin.end('{"a":2,"b":5}')
    expect(await typed.ended()).toBe(0)
    expect(typed.stdout()).toContain('7')
    const missing = await outcomeHere([...words, '@nowhere.json'])
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Expected a file that can be read, got @nowhere.json'),
    })
  })

  test('takes the key for a gateway that runs from the environment', async () => {
    const words = ['call', 'demo__add', 'a=2', '--args', '{"a":1,"b":3}', '--url', url, '--json']
    const called = start(words, { env: { JUNCTOR_KEY: key } })
    expect(await called.ended()).toBe(0)
    expect(JSON.parse(called.stdout())).toMatchObject({ structuredContent: { sum: 5 } })
  })

  test('takes a value from a file', async () => {
    writeFileSync(join(folder, 'text.txt'), 'from a file')
    expect(await outcomeHere(['call', 'demo__echo', 'message=@text.txt', '--url', url, '--key', key])).toMatchObject({
      code: 0,
      stdout: 'from a file\n',
    })
  })

  test('says of an image what it is', async () => {
    expect(await outcomeHere(['call', 'demo__image', '--url', url, '--key', key])).toMatchObject({
      code: 0,
      stdout: '[image image/png, 105 bytes]\n',
    })
  })

  test('ends with 1 when the tool reports a failure, and no user can be asked', async () => {
    expect(await outcomeHere(['call', 'demo__ask'])).toEqual({
      code: 1,
      stdout: 'No answer to elicitation/create: The client does not support this request\n',
      stderr: '',
    })
  })

  test.each([
    [['demo__ad', 'a=1'], 'junctor: there is no tool "demo__ad"\n  Is it demo__add?\n'],
    [['add', 'a=1'], 'junctor: there is no tool "add"\n  Is it demo__add?\n'],
    [['nothing-like-it'], 'junctor: there is no tool "nothing-like-it"\n  See what there is with "junctor tools".\n'],
    [['demo__add', 'a=1'], 'junctor: demo__add: an argument is missing: b\n  It takes a=number b=number\n'],
    [['demo__add', 'a=1', 'b=2', 'c=3'], 'the tool has no argument "c"; it has a, b\n  It takes a=number b=number\n'],
    [['demo__add', 'a=1', 'b=two'], 'demo__add: b is a number, got "two"\n'],
    [['demo__image', '--args', '[]'], `Expected a JSON object, as in '{"a":1}', got a list.`],
    [['demo__image', '--args', '{bad'], `Expected a JSON object, as in '{"a":1}': Expected property name`],
    [['demo__image', '--timeout', '5'], 'Expected a duration above zero, such as 500ms, 30s or 2m.'],
    [['demo__image', '--timeout', '30d'], 'Expected a duration of at most 24d.'],
  ])('%j is not sent', async (words, message) => {
    expect(await outcomeHere(['call', ...words, '--url', url, '--key', key])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })

  test('says that a tenant of the profile saas is for other clients', async () => {
    writeFileSync(join(folder, 'saas.yaml'), 'profile: saas\nbackends: { shop: { plugin: "@junctor/plugin-demo" } }\n')
    expect(await outcomeHere(['call', 'echo', 'message=x', '--config', join(folder, 'saas.yaml')])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/does not answer initialize as the specification says.*\n.*The profile saas is/),
    })
  })

  test('waits no longer than its timeout', async () => {
    expect(await outcomeHere(['call', 'demo__slow', 'ms=60000', '--timeout', '500ms'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'junctor: no answer came in time\n  See what its backends do; a call waits longer with --timeout.\n',
    })
  })

  test('a signal cancels it, and ends the gateway that was started for it', async () => {
    const called = start(['call', 'demo__slow', 'ms=60000'])
    await eventually(() => expect(called.descendants().length).toBeGreaterThan(0), processTimeout.timeout)
    const processes = called.descendants()
    called.child.kill('SIGINT')
    expect(await called.ended()).toBe(130)
    await untilGone(processes)
    expect(called.stdout()).toBe('')
  })

  test('a signal cancels it on a running gateway', async () => {
    const called = start(['call', 'demo__slow', 'ms=60000', '--url', url, '--key', key])
    const calls = async (status: string): Promise<readonly object[]> => {
      const headers = { authorization: `Bearer ${key}` }
      const answer = await fetch(`${admin}/events?event_type=gateway.tool_call&status=${status}`, { headers })
      return (await answer.json()) as readonly object[]
    }
    const slow = expect.arrayContaining([expect.objectContaining({ tool: 'demo__slow' })]) as unknown
    await eventually(async () => expect(await calls('pending')).toEqual(slow), processTimeout.timeout)
    called.child.kill('SIGTERM')
    expect(await called.ended()).toBe(143)
    await eventually(async () => expect(await calls('failure')).toEqual(slow), processTimeout.timeout)
  })

  test('does not use the admin port, which the gateway that serves the file needs', async () => {
    const port = await freePort()
    const text = `listen: { admin: { port: ${port} } }\nbackends: { demo: { plugin: "@junctor/plugin-demo" } }\n`
    writeFileSync(join(folder, 'admin.yaml'), text)
    const called = start(['call', 'demo__slow', 'ms=1500', '--config', 'admin.yaml'])
    let answers = 0
    while (called.child.exitCode === null) {
      // oxlint-disable-next-line no-await-in-loop
      await fetch(`http://127.0.0.1:${port}/livez`).then(
        () => (answers += 1),
        () => setTimeout(20),
      )
    }
    expect({ code: await called.ended(), answers }).toEqual({ code: 0, answers: 0 })
  })
})

describe('a gateway that cannot be reached', () => {
  test.each([
    [['--url', 'http://127.0.0.1:1023/mcp'], 1, 'nothing listens at http://127.0.0.1:1023/mcp'],
    [['--url', 'localhost'], 2, "'localhost' is invalid. Expected a URL such as http://127.0.0.1:3000/mcp."],
    [['--url', 'http://127.0.0.1:1/', '--config', 'keys.json'], 2, "cannot be used with option '-c, --config"],
    [['--config', 'nowhere.yaml'], 3, 'nowhere.yaml:1:1\n  got no such file'],
  ])('%j', async (words, code, message) => {
    expect(await outcomeHere(['tools', ...words])).toEqual({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })

  test('asks for a key', async () => {
    const refused = await outcomeHere(['tools', '--url', url])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Give a key with --key') })
  })

  test('has no such tenant', async () => {
    const refused = await outcomeHere(['tools', '--url', `${url}/nobody`, '--key', key])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('/mcp, or /mcp/ and a tenant') })
  })
})

describe('on a terminal', () => {
  test('progress is shown, and gone when there is an answer', async () => {
    const called = startOnTerminal(['call', 'demo__progress', 'steps=2', 'delayMs=200'], { folder })
    expect(await called.ended()).toBe(0)
    expect(called.raw()).toContain('50% Step 1 of 2')
    expect(called.raw().endsWith('\r\u001b[KTook 2 steps\r\n')).toBe(true)
  })

  test('questions of the tool are asked', async () => {
    const called = startOnTerminal(['call', 'demo__ask'], { folder })
    await called.typed(/The tool asks: .*Who are you\?[^]*name \(What shall I call you\?\): $/, 'Ada')
    await called.typed(/age \(In years\): $/, 'old')
    await called.typed(/expected a whole number\nage \(In years\): $/, '36')
    expect(await called.ended()).toBe(0)
    expect(called.screen()).toContain('Hello Ada, 36 is a fine age.')
  })

  test('Ctrl-D cancels a question', async () => {
    const cancelled = startOnTerminal(['call', 'demo__ask'], { folder })
    await cancelled.pressed(/What shall I call you\?\): $/, '\u0004')
    expect(await cancelled.ended()).toBe(0)
    expect(cancelled.screen()).toContain('You closed the question without an answer.')
  })

  test('Ctrl-C at a question withdraws the call', async () => {
    const withdrawn = startOnTerminal(['call', 'demo__ask'], { folder })
    await withdrawn.pressed(/What shall I call you\?\): $/, '\u0003')
    expect(await withdrawn.ended()).toBe(130)
  })
})
