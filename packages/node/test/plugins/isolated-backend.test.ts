import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { payloadOf } from '@junctor/jsonrpc'
import {
  createRequest,
  describeBackend,
  eventually,
  listDescendants,
  recordClient,
  recordExchange,
  untilNoDescendants,
} from '@junctor/testkit'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  callText,
  type IsolatedOptions,
  type IsolatedUnderTest,
  openLink,
  startCall,
  startIsolated,
  textOf,
  unruly,
} from './isolated-process.ts'

// A plugin of the SDK leaves it to the gateway to end the calls and questions of a link that closes.
describeBackend('a plugin in a process of its own', { echo: 'echo', steps: 'steps', log: 'log' }, startIsolated)

const open: IsolatedUnderTest[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.dispose()))
  await untilNoDescendants()
})

async function start(options?: IsolatedOptions): Promise<IsolatedUnderTest> {
  const started = await startIsolated(options)
  open.push(started)
  return started
}

/** A plugin that cannot make its backend before `make`. */
function latePlugin(members = ''): { readonly file: string; readonly make: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-late-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const flag = join(folder, 'ready')
  const file = join(folder, 'late.ts')
  const source = `import { existsSync } from 'node:fs'
import { unrulyPlugin } from ${JSON.stringify(unruly)}
export default { ...unrulyPlugin, async create(options, context) {
  if (!existsSync(${JSON.stringify(flag)})) throw new Error('not yet')
  return { ...(await unrulyPlugin.create(options, context)), ${members} }
} }`
  writeFileSync(file, source)
  return { file, make: () => writeFileSync(flag, '') }
}

test('its code runs in one process for all links, and not in this one', async () => {
  const { backend } = await start()
  const [one, other] = [await openLink(backend, 's_one'), await openLink(backend, 's_other')]
  const pid = await callText(one, 'pid')
  expect(await callText(other, 'pid')).toBe(pid)
  expect(pid).not.toBe(String(process.pid))
  expect(globalThis).not.toHaveProperty('unrulyLoaded')
})

test('its options have the defaults and values of its schema', async () => {
  const { backend } = await start({ options: { word: 'given' } })
  expect(await callText(await openLink(backend), 'word')).toBe('given')
  const without = await start()
  expect(await callText(await openLink(without.backend), 'word')).toBe('none')
})

test('records and counters are those of the node: they outlive the process', async () => {
  const { backend, events } = await start()
  const link = await openLink(backend)
  expect(await callText(link, 'count')).toBe('1 of calls, 1 here')
  await expect
    .poll(() => events.filter(({ kind }) => kind === 'plugin_counted'))
    .toEqual([{ kind: 'plugin_counted', backend: 'unruly', counter: 'asked', value: 'count', by: 2 }])
  await startCall(link, 'exit').outcome
  expect(await callText(await openLink(backend), 'count')).toBe('2 of calls, 1 here')
})

test('its process is started again although the clock of the system was set back', async () => {
  const { backend } = await start()
  await startCall(await openLink(backend), 'exit').outcome
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000)
  onTestFinished(() => clock.mockRestore())
  expect(await callText(await openLink(backend), 'pid')).toMatch(/^\d+$/)
})

test('changed lists and methods outside MCP reach the node', async () => {
  const { backend } = await start()
  expect(backend.correlates).toBe(true)
  expect(backend.methods).toEqual(['unruly/sum'])
  const client = recordClient()
  const notify = vi.spyOn(client, 'notify')
  const scope = { tenant: 't', principal: undefined, session: undefined, capabilities: {}, key: 'k' }
  const link = await backend.open(scope, client, new AbortController().signal)
  const { exchange } = recordExchange()
  expect(textOf(await link.call(createRequest('unruly/sum', [1, 2, 3]), exchange))).toBe(3)
  await callText(link, 'change')
  await eventually(() =>
    expect(notify).toHaveBeenCalledWith({ method: 'notifications/tools/list_changed', params: undefined }),
  )
  const listed = await link.list('tools', new AbortController().signal)
  expect(listed.map((item) => (item.value() as { name: string }).name)).toContain('changed')
})

test.each([
  ['the configuration', (folder: string) => ['read', join(folder, 'secret')]],
  ['a file of the system', () => ['read', '/etc/hostname']],
  ['a file to write', (folder: string) => ['write', join(folder, 'written')]],
  ['a file of its own to write', () => ['write', join(unruly, '../written')]],
  ['a program', () => ['run']],
  ['a thread', () => ['thread']],
])('%s is denied', async (_what, words) => {
  const { backend, folder } = await start()
  const [tool = '', path] = words(folder)
  expect(await callText(await openLink(backend), tool, path)).toContain('has been restricted')
})

test('it reads its own package, and has none of the variables of the node', async () => {
  vi.stubEnv('A_SECRET', 'of the node')
  const { backend } = await start()
  const link = await openLink(backend)
  expect(await callText(link, 'read', unruly)).toBe(readFileSync(unruly, 'utf8'))
  const environment = JSON.parse(String(await callText(link, 'environment'))) as object
  expect(Object.keys(environment).filter((name) => !/^(?:LANG|LC_.*|TZ|JUNCTOR_CHILD)$/.test(name))).toEqual([])
  vi.unstubAllEnvs()
})

test.each([
  ['exits', 'exit', /exited with code 3/],
  ['fills its heap', 'allocate', /held \d+ MiB of memory|was ended by SIGABRT|exited with code 134/],
  ['fills memory outside its heap', 'fill', /held \d+ MiB of memory, and may hold 256 MiB/],
  ['writes garbage to the node', 'garble', /cannot be understood/],
])('a plugin that %s ends its own calls, and is there for the next', async (_what, tool, why) => {
  const { backend } = await start()
  const [link, other] = [await openLink(backend), await openLink(backend, 's_other')]
  const [bad, waiting] = [startCall(link, tool), startCall(other, 'never')]
  expect(textOf(await waiting.outcome)).toMatchObject({ reason: 'backend_exited', backend: 'unruly' })
  await bad.outcome
  expect(String(await link.closed)).toMatch(why)
  expect(await callText(await openLink(backend), 'echo', 'again')).toBe('again')
})

test('a plugin in a loop is ended, and is there for the next call', { timeout: 60_000 }, async () => {
  const { backend } = await start()
  const link = await openLink(backend)
  expect(textOf(await startCall(link, 'loop').outcome)).toMatchObject({ reason: 'backend_exited' })
  expect(String(await link.closed)).toContain('is in a loop')
  expect(await callText(await openLink(backend), 'echo', 'again')).toBe('again')
})

test('a person answers its form, and a cancelled call takes the form back', async () => {
  const { backend } = await start()
  const link = await openLink(backend)
  const calling = startCall(link, 'ask', 'Who are you?')
  await eventually(() => expect(calling.asks.size).toBe(1))
  for (const id of calling.asks.keys()) {
    calling.exchange.answer(id, { result: payloadOf({ action: 'accept', content: { name: 'Ada' } }) })
  }
  expect(textOf(await calling.outcome)).toBe('Ada')
  const second = startCall(link, 'ask', 'And now?')
  await eventually(() => expect(second.asks.size).toBe(1))
  second.exchange.end('cancelled')
  await eventually(() => expect(second.asks.size).toBe(0))
})

test('a call that never answers ends with its caller, and the plugin goes on', async () => {
  const { backend } = await start()
  const link = await openLink(backend)
  const calling = startCall(link, 'never')
  calling.exchange.end('deadline')
  await calling.outcome
  expect(await callText(link, 'echo', 'on')).toBe('on')
})

test('errors that nobody catches are logged and counted for the backend, and everything goes on', async () => {
  const { backend, logged, events } = await start()
  const link = await openLink(backend)
  expect(await callText(link, 'reject')).toBe('ok')
  await eventually(() => expect(events).toHaveLength(2))
  for (const event of events) expect(event).toEqual({ kind: 'plugin_failed', backend: 'unruly' })
  expect(logged.join('\n')).toMatch(/nobody awaits this[^]*thrown in a timer/)
  expect(await callText(link, 'throw')).toBe('thrown in a handler')
  expect(await callText(link, 'echo', 'on')).toBe('on')
})

test('what it prints is logged, and no client gets it', async () => {
  const { backend, logged } = await start()
  const link = await openLink(backend)
  expect(await callText(link, 'print', 'hello')).toBe('printed')
  await eventually(() => expect(logged.filter((line) => line.includes('wrote to stdout'))).toHaveLength(2))
})

test('a plugin that logs without end is cut short, and told of', async () => {
  const { backend, logged } = await start()
  const link = await openLink(backend)
  expect(await callText(link, 'shout', 'x')).toBe('ok')
  await eventually(() => expect(logged.length).toBeGreaterThan(50))
  expect(logged.length).toBeLessThan(300)
})

test('a flood of progress reaches a slow client as its latest, and the call ends', async () => {
  const { backend } = await start()
  const link = await openLink(backend)
  const calling = startCall(link, 'progress')
  calling.stall()
  const outcome = await calling.outcome
  expect(textOf(outcome)).toBe('done')
  calling.exchange.settle(outcome)
  calling.resume()
  await eventually(() => expect(calling.events.at(-1)).toMatchObject({ kind: 'outcome' }))
  expect(calling.events.length).toBeLessThan(10)
})

test('a plugin that throws in create does not fail the node: its backend cannot be opened, and tells why', async () => {
  const { backend, logged } = await start({ options: { hook: 'create' } })
  expect(logged.join()).toContain('did not start')
  await expect(openLink(backend)).rejects.toThrow(/thrown in create|is started again in/)
})

test('its drain runs in its process, before it is closed', async () => {
  const { backend, logged } = await start({ options: { hook: 'drain' } })
  const pid = await callText(await openLink(backend), 'pid')
  await backend.drain?.()
  await eventually(() => expect(logged.join('\n')).toMatch(new RegExp(`drained here .*"pid":${Number(pid)}`)))
  await backend.close()
  // There is no process any more.
  await backend.drain?.()
})

test('its methods outside MCP are known as soon as its process has started, also after a first start that failed', async () => {
  const { file, make } = latePlugin()
  const { backend } = await start({ file })
  expect(backend.methods).toEqual([])
  make()
  await eventually(async () => expect(await callText(await openLink(backend), 'pid')).toMatch(/^\d+$/))
  expect(backend.methods).toEqual(['unruly/sum'])
})

test('it opens no link that persons share when it turns out late that it has their credentials', async () => {
  const { file, make } = latePlugin('isPersonal: true')
  const { backend } = await start({ file, isolation: 'tenant' })
  expect(backend.isPersonal).toBe(false)
  make()
  await eventually(async () => {
    await openLink(backend, 'shared').catch(() => {})
    expect(backend.isPersonal).toBe(true)
  })
  await expect(openLink(backend, 'shared')).rejects.toThrow('Expected the isolation "session", got "tenant"')

  const own = latePlugin('isPersonal: true')
  const { backend: allowed } = await start({ file: own.file })
  own.make()
  await eventually(async () => expect(await callText(await openLink(allowed), 'pid')).toMatch(/^\d+$/))
})

test('its process is started again after its module was away for a moment, as while it is installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-moved-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'moved.ts')
  const source = `export { unrulyPlugin as default } from ${JSON.stringify(unruly)}`
  writeFileSync(file, source)
  const { backend } = await start({ file })
  const link = await openLink(backend)
  rmSync(file)
  await startCall(link, 'exit').outcome
  await expect(openLink(backend)).rejects.toThrow(/moved\.ts/)
  writeFileSync(file, source)
  await eventually(async () => expect(await callText(await openLink(backend), 'pid')).toMatch(/^\d+$/))
})

test('a plugin whose close hangs is closed anyway', async () => {
  const { backend } = await start({ options: { hook: 'close' } })
  const link = await openLink(backend)
  await callText(link, 'echo')
  await backend.close()
  expect(listDescendants().filter(({ command }) => command.includes('plugin-host'))).toEqual([])
})

/** A plugin whose backend declares everything that the contract has, and tells what its link is given. */
function declaringPlugin(): string {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-declaring-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'declaring.ts')
  const source = `import { unrulyPlugin } from ${JSON.stringify(unruly)}
export default { ...unrulyPlugin, async create(options, context) {
  const backend = await unrulyPlugin.create(options, context)
  let drained = 0
  const told = { presented: [], notified: [], scope: undefined }
  const link = (inner) => ({
    server: inner.server,
    closed: inner.closed,
    close: () => inner.close(),
    list: (kind, signal) => inner.list(kind, signal),
    hints: (kind) => (kind === 'tools' ? { ttlMs: 5, scope: 'public' } : undefined),
    listProblem: (kind) => (kind === 'prompts' ? 'pages without end' : undefined),
    notify: ({ method }) => told.notified.push(method),
    present: (token) => told.presented.push(token),
    call: (request, exchange) =>
      request.method === 'told'
        ? { kind: 'complete', result: { text: undefined, value: () => JSON.parse(JSON.stringify(told)) } }
        : inner.call(request, exchange),
  })
  return {
    name: 'declaring', correlates: true, isPersonal: true, takesCallerToken: true, followsEra: true,
    methods: ['told'], changesAlone: true,
    warnings: () => ['a part is away', 'drained ' + drained],
    async open(scope, client, signal) {
      told.scope = scope
      return link(await backend.open(scope, client, signal))
    },
    async drain() { drained += 1 },
    close: () => backend.close(),
  }
} }`
  writeFileSync(file, source)
  return file
}

test('everything that the contract of backends has passes the border of the process', async () => {
  const { backend } = await start({ file: declaringPlugin() })
  const { name, correlates, isPersonal, takesCallerToken, followsEra, methods, changesAlone } = backend
  expect({ name, correlates, isPersonal, takesCallerToken, followsEra, methods, changesAlone }).toEqual({
    name: 'unruly',
    correlates: true,
    isPersonal: true,
    takesCallerToken: true,
    followsEra: true,
    methods: ['told'],
    changesAlone: true,
  })
  await eventually(() => expect(backend.warnings?.()).toEqual(['a part is away', 'drained 0']))
  await backend.drain?.()
  await eventually(() => expect(backend.warnings?.()).toEqual(['a part is away', 'drained 1']))
})

test('everything that the contract of links has passes the border of the process', async () => {
  const { backend } = await start({ file: declaringPlugin() })
  const { signal } = new AbortController()
  const scope = {
    tenant: 't',
    principal: 'p',
    session: 's',
    capabilities: {},
    key: 'k',
    era: 'modern',
    callerToken: 'sealed',
  } as const
  const link = await backend.open(scope, recordClient(), signal)
  expect(link.server.info).toBeDefined()
  for (const kind of ['tools', 'prompts'] as const) await link.list(kind, signal)
  expect(link.hints?.('tools')).toEqual({ ttlMs: 5, scope: 'public' })
  expect(link.hints?.('prompts')).toBeUndefined()
  expect(link.listProblem?.('prompts')).toBe('pages without end')
  expect(link.listProblem?.('tools')).toBeUndefined()
  link.present?.('another')
  link.notify({ method: 'notifications/roots/list_changed', params: undefined })
  const told = await link.call(createRequest('told', {}), recordExchange().exchange)
  expect(told.kind === 'complete' && told.result.value()).toEqual({
    presented: ['another'],
    notified: ['notifications/roots/list_changed'],
    scope,
  })
  await link.close()
  expect(await link.closed).toBeUndefined()
})

test('its warnings end with its process', async () => {
  const { backend } = await start({ file: declaringPlugin() })
  const link = await openLink(backend)
  await eventually(() => expect(backend.warnings?.()).toHaveLength(2))
  await startCall(link, 'exit').outcome
  await eventually(() => expect(backend.warnings?.()).toEqual([]))
})
