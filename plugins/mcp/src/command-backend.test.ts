import { type Backend, type Link, type Outcome, silentLog, emitNothing } from '@junctor/plugin-sdk/link'
import { createRequest, recordClient, recordExchange, untilNoDescendants, eventually } from '@junctor/testkit'
import { createGuard } from '@junctor/transport-stdio/back'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { scopeFor } from '../test/lean-server.ts'
import { createCommandBackend } from './command-backend.ts'
import type { CommandConfig } from './config.ts'

const guard = createGuard(silentLog)
afterAll(async () => {
  await guard.close()
  await untilNoDescendants()
})

const never = new AbortController().signal

function backendOf(config: Partial<CommandConfig>): Backend {
  const folder = new URL('../test/servers', import.meta.url).pathname
  return createCommandBackend({
    name: 'child',
    config: { command: process.execPath, args: ['stdio-main.ts', 'raw'], env: {}, ...config },
    folder,
    log: silentLog,
    emit: emitNothing,
    guard,
  })
}

async function open(config: Partial<CommandConfig> = {}, scope = {}): Promise<Link> {
  const client = recordClient()
  const link = await backendOf(config).open(scopeFor(client, scope), client, never)
  onTestFinished(() => link.close())
  return link
}

function call(link: Link, tool: string) {
  const recorded = recordExchange()
  const request = createRequest('tools/call', { name: tool, arguments: { text: tool } })
  return { ...recorded, outcome: Promise.resolve(link.call(request, recorded.exchange)) }
}

/** The text of a tool's answer. */
async function answerOf(link: Link, tool: string): Promise<unknown> {
  const outcome = await call(link, tool).outcome
  expect(outcome).toMatchObject({ kind: 'complete' })
  const { result } = outcome as Extract<Outcome, { kind: 'complete' }>
  return (result.value() as { content: { text: string }[] }).content[0]?.text
}

test('when the program exits, all its calls are settled immediately, and the link reports the reason', async () => {
  const link = await open()
  const waiting = Array.from({ length: 5 }, () => call(link, 'wait'))
  const fatal = call(link, 'exit')
  const outcomes = await Promise.all([...waiting, fatal].map(({ outcome }) => outcome))
  expect(outcomes.map((outcome) => outcome.kind === 'error' && outcome.error.data?.value())).toEqual(
    outcomes.map(() => ({ reason: 'backend_exited', retryable: false, backend: 'child' })),
  )
  expect(await link.closed).toMatchObject({ code: 'BACKEND_EXITED', exit: { code: 7 } })
  expect(await call(link, 'echo').outcome).toMatchObject({ error: { message: 'The backend cannot be reached' } })
})

test('a program that does not exist cannot be opened', async () => {
  await expect(open({ command: 'no-such-program-anywhere' })).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE' })
})

test('a program that ends before the handshake cannot be opened', async () => {
  await expect(open({ args: ['--eval', 'process.exit(3)'] })).rejects.toMatchObject({ exit: { code: 3 } })
})

test('opening ends with its signal, and the program ends too', async () => {
  const controller = new AbortController()
  const client = recordClient()
  const backend = backendOf({ args: ['--eval', 'process.stdin.resume()'] })
  const opening = backend.open(scopeFor(client), client, controller.signal)
  controller.abort(new Error('enough'))
  await expect(opening).rejects.toThrow('enough')
  await untilNoDescendants({ except: 'junctor-guard' })
})

test('a server with an unknown revision is refused', async () => {
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '1999-01-01', capabilities: {} } })
  const program = `process.stdin.once('data', () => console.log(${JSON.stringify(answer)}))`
  await expect(open({ args: ['--eval', program], era: 'handshake' })).rejects.toMatchObject({
    code: 'BACKEND_REFUSED',
    message: expect.stringContaining('"1999-01-01"'),
  })
})

test('a relative command and working folder start at the folder of the configuration', async () => {
  const link = await open({ command: './stdio-main.sh', args: ['raw'], cwd: '..' })
  expect(link.server.info).toMatchObject({ name: 'raw' })
})

test('a shared program sees no client capabilities, its requests are refused and its messages are dropped', async () => {
  const link = await open({}, { principal: undefined, session: undefined })
  const asking = call(link, 'ask')
  const logging = call(link, 'log')
  await Promise.all([asking.outcome, logging.outcome])
  expect([...asking.events, ...logging.events]).toEqual([])
  expect(await answerOf(link, 'declared')).toBe('{}')
})

test('with one call in flight a request belongs to it; with several it is attributed to the newest', async () => {
  const link = await open()
  const alone = call(link, 'ask')
  await eventually(() => expect([...alone.asks.values()]).toMatchObject([{ guessed: false }]))
  const newest = call(link, 'wait')
  const other = call(link, 'ask')
  await eventually(() => expect([...other.asks.values()]).toMatchObject([{ guessed: true }]))
  expect(newest.asks.size).toBe(0)
})

test('a call is cancelled upstream with its upstream id', async () => {
  const link = await open()
  const waiting = call(link, 'wait')
  waiting.exchange.end('cancelled')
  expect(await waiting.outcome).toMatchObject({ kind: 'error' })
  // The first request of the link is its handshake.
  expect(await answerOf(link, 'cancellations')).toBe('[{"requestId":2,"reason":"cancelled"}]')
})

test('an aborted list request is cancelled upstream', async () => {
  const link = await open()
  const controller = new AbortController()
  const listing = link.list('tools', controller.signal)
  controller.abort(new Error('enough'))
  await expect(listing).rejects.toThrow('enough')
  expect(await answerOf(link, 'cancellations')).toBe('[{"requestId":2,"reason":"aborted"}]')
})
