import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TelemetryEvent, silentLog, emitNothing } from '@junctor/contracts'
import { payloadOf, type Message, requestId } from '@junctor/jsonrpc'
import {
  createWireRecorder,
  listDescendants,
  type ProcessInfo,
  untilGone,
  untilNoDescendants,
  type WireRecorder,
  eventually,
} from '@junctor/testkit'
import { childOptions } from '../../fixtures/child-options.ts'
import { createMemoryLog, type MemoryLog } from '../../fixtures/memory-log.ts'
import { ChildExited } from './child-exited.ts'
import { type ChildOptions, type ChildTransport, createChildTransport } from './child-transport.ts'
import { createGuard, type Guard } from './guard/guard.ts'

/** A timeout for a busy machine. */
const pollTimeout = { timeout: 5_000, interval: 5 }

/** The same for a child that writes very much, in milliseconds. */
const muchMs = 50_000

let guard: Guard
let log: MemoryLog
let wire: WireRecorder
let events: TelemetryEvent[]
const opened: ChildTransport[] = []

beforeEach(() => {
  log = createMemoryLog()
  wire = createWireRecorder()
  events = []
  guard = createGuard(silentLog)
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close()))
  await guard.close()
  await untilNoDescendants()
})

function open(mode: string | readonly string[], options: Partial<ChildOptions> = {}): ChildTransport {
  const transport = createChildTransport(
    { ...childOptions(guard, ...[mode].flat()), log, emit: (event) => events.push(event), ...options },
    wire.receiver(),
  )
  opened.push(transport)
  return transport
}

const ping: Message = { kind: 'request', dialect: '2.0', id: requestId(1), method: 'ping', params: undefined }

/** The params of the nth received message. */
function paramsAt(index = 0): unknown {
  const message = wire.frames[index]?.message
  return message?.kind === 'notification' ? message.params?.value() : undefined
}

/** Checks that the child still answers after an error. */
async function expectEcho(transport: ChildTransport, receivedBefore: number): Promise<void> {
  void transport.send(ping)
  await wire.untilReceived(receivedBefore + 1)
  expect(wire.texts('received').at(-1)).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}')
}

test('a program whose output cannot be handled is given up, and the log contains the reason', async () => {
  const broken = new Error('broken')
  const receiver = {
    message() {
      throw broken
    },
  }
  const transport = createChildTransport(childOptions(guard, 'echo'), receiver)
  opened.push(transport)
  void transport.send(ping)
  const error = await transport.closed
  expect(error).toBeInstanceOf(ChildExited)
  expect(error?.cause).toBe(broken)
})

test('a program that writes as fast as it can does not block others', async () => {
  const line = `{"jsonrpc":"2.0","method":"flood","params":{"x":"${'x'.repeat(60)}"}}\n`
  const program = `const piece = ${JSON.stringify(line)}.repeat(2000); let left = 100
    const write = () => { while (left > 0) { left -= 1; if (!process.stdout.write(piece)) return void process.stdout.once('drain', write) } }
    write()`
  const total = 200_000
  let received = 0
  let before = 0
  let most = 0
  const turn = (): void => {
    most = Math.max(most, received - before)
    before = received
    if (received < total) setImmediate(turn)
  }
  opened.push(
    createChildTransport(
      { ...childOptions(guard), command: process.execPath, args: ['-e', program], log },
      { message: () => void (received += 1) },
    ),
  )
  turn()
  await eventually(() => expect(received).toBe(total), muchMs)
  // Reads of 64 KiB: one that was handled, one that was in progress, and a part of one. Without a pause, 32 follow each
  // other.
  expect(most).toBeLessThanOrEqual(Math.ceil((3 * 64 * 1024) / line.length))
})

describe('starting', () => {
  test('a program gets its arguments, its folder and a minimal environment', async () => {
    process.env['JUNCTOR_TEST_SECRET'] = 'of another backend'
    open(['environment'], { environment: { OWN: 'yes' } })
    open(['pid', 'a b', '$HOME'], { cwd: '/' })
    await wire.untilReceived(2)
    delete process.env['JUNCTOR_TEST_SECRET']
    const answers = [paramsAt(0), paramsAt(1)]
    expect(answers).toContainEqual({ pid: expect.any(Number), arguments: ['a b', '$HOME'], folder: '/' })
    expect(answers).toContainEqual(expect.objectContaining({ PATH: process.env['PATH'], OWN: 'yes' }))
    expect(JSON.stringify(answers)).not.toContain('of another backend')
  })

  test.each<[string, Partial<ChildOptions>, RegExp?]>([
    ['a command that does not exist', { command: 'no-such-command-anywhere' }, /anywhere"$/],
    [
      'a folder that does not exist',
      { cwd: '/no/such/folder' },
      /in the folder "\/no\/such\/folder", which is not there$/,
    ],
    ['a file that is not a program', { command: import.meta.filename }],
    ['a command that the system cannot be given', { command: 'a\0b' }],
    ['arguments that are too long', { args: ['x'.repeat(3_000_000)] }],
  ])('%s shows in `closed`', async (_name, options, problem = /./) => {
    const transport = open('echo', options)
    void transport.send(ping)
    await expect(transport.closed).resolves.toMatchObject({
      code: 'BACKEND_UNREACHABLE',
      problem: expect.stringMatching(problem),
    })
    expect(transport.pid).toBeUndefined()
  })
})

describe('what a child writes to stdout', () => {
  test('lines that are not messages are skipped, counted and logged', async () => {
    const transport = open('garbage')
    await wire.untilReceived(1)
    expect(paramsAt()).toEqual({ after: 'garbage' })
    expect(log.entries).toContainEqual({
      level: 'warn',
      message: 'a backend wrote a line to stdout that is not a message',
      fields: expect.objectContaining({ backend: 'sample', line: 'Server starting...' }),
    })
    expect(events).toHaveLength(5)
    expect(events.at(-1)).toEqual({ kind: 'output_discarded', backend: 'sample', reason: 'not_utf8' })
    await expectEcho(transport, 1)
  })

  test('a response that is too long fails its request, whether its id is at the beginning or the end', async () => {
    const transport = open('answers', { limits: { line: 1024 * 1024 } })
    await wire.untilReceived(2)
    expect(wire.frames.map(({ message }) => message)).toMatchObject([
      { kind: 'error', id: '1', error: { message: expect.stringContaining('at most 1048576 bytes') } },
      { kind: 'error', id: '2' },
    ])
    const event = { kind: 'output_discarded', backend: 'sample', reason: 'too_long' }
    expect(events).toEqual([event, event])
    await expectEcho(transport, 2)
  })

  test('a line that is too long is dropped, regardless of its length, and not buffered', async () => {
    const before = process.memoryUsage().rss
    const transport = open(['long', '300'], { limits: { line: 1024 * 1024 } })
    await wire.untilReceived(1, muchMs)
    expect(paramsAt()).toEqual({ after: 'long' })
    expect(events).toHaveLength(1)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    await expectEcho(transport, 1)
  })

  test('a batch is split', async () => {
    open('batch')
    await wire.untilReceived(2)
    expect(wire.texts('received')).toEqual(['{"jsonrpc":"2.0","method":"a"}', '{"jsonrpc":"2.0","id":1,"result":{}}'])
    expect(events).toHaveLength(1)
  })

  test('an unreadable response becomes an error for its caller, an unreadable request is answered', async () => {
    open('malformed')
    await wire.untilReceived(3)
    const [both, neither, echoed] = wire.texts('received')
    expect(JSON.parse(both ?? '')).toMatchObject({ id: 7, error: { code: -32603, data: { backend: 'sample' } } })
    expect(JSON.parse(neither ?? '')).toMatchObject({ id: 8, error: { code: -32603, data: { backend: 'sample' } } })
    expect(JSON.parse(echoed ?? '')).toMatchObject({ id: 'x', error: { code: -32600 } })
  })

  test('a last line without a newline is a message, and arrives before the end', async () => {
    const transport = open('last')
    const error = await transport.closed
    expect(wire.texts('received')).toEqual(['{"jsonrpc":"2.0","method":"last"}'])
    expect(error).toBeInstanceOf(ChildExited)
  })
})

describe('what a child writes to stderr', () => {
  test('is always read, and logged within limits', async () => {
    const transport = open(['stderr', '20'])
    await wire.untilReceived(1)
    expect(paramsAt()).toEqual({ after: 'stderr' })
    const lines = log.entries.filter(({ message }) => message === 'a backend wrote to stderr')
    expect(lines.length).toBeGreaterThanOrEqual(100)
    expect(lines.length).toBeLessThan(1_000)
    expect(lines[0]?.fields).toMatchObject({ backend: 'sample', line: expect.stringContaining('noise noise') })
    await expectEcho(transport, 1)
  })

  test('and to stdout: the values of its own environment are not logged', async () => {
    const TOKEN = 'canary-4711-canary'
    const transport = open('secret', { environment: { TOKEN } })
    await expectEcho(transport, 0)
    await expect.poll(() => log.entries.map(({ fields }) => fields['line']), pollTimeout).toContain('token is ***')
    await transport.close()
    expect(log.entries.filter(({ fields }) => fields['line'] === 'token is ***')).toHaveLength(2)
    expect(JSON.stringify(log.entries)).not.toContain(TOKEN)
  })
})

describe('a child that exits', () => {
  test('is reported by `closed`: its exit, and the last lines of stderr', async () => {
    const error = await open('crash').closed
    expect(error).toBeInstanceOf(ChildExited)
    expect(error).toMatchObject({
      code: 'BACKEND_EXITED',
      message: '[BACKEND_EXITED] Backend "sample" exited with code 3',
      exit: { code: 3, signal: null },
      stderr: ['cannot go on'],
    })
  })

  test('is read to the end, also when its exit is noticed before its last output', async () => {
    const shell = (script: string): Partial<ChildOptions> => ({ command: 'sh', args: ['-c', script] })
    const busy = (ms: number): void => {
      const until = performance.now() + ms
      while (performance.now() < until);
    }
    // While the output of the first one is handled, the third one ends. The second one's exit makes Node ask the system
    // for ended processes before it has read the output of the third one.
    opened.push(
      createChildTransport(
        {
          ...childOptions(guard),
          ...shell('echo \'{"jsonrpc":"2.0","method":"first"}\'; sleep 5'),
          log,
          emit: emitNothing,
        },
        { message: () => busy(1_500) },
      ),
    )
    open([], shell('exit 0'))
    const last = `sleep 1; echo '{"jsonrpc":"2.0","method":"last"}'; echo cannot go on >&2; exit 3`
    const third = open([], shell(last))
    busy(400)
    await expect(third.closed).resolves.toMatchObject({ exit: { code: 3 }, stderr: ['cannot go on'] })
    expect(wire.texts('received')).toEqual(['{"jsonrpc":"2.0","method":"last"}'])
  })

  test('is noticed within a second when it is killed', async () => {
    const transport = open('echo')
    await expectEcho(transport, 0)
    const start = performance.now()
    process.kill(pidOf(transport), 'SIGKILL')
    await expect(transport.closed).resolves.toMatchObject({ exit: { code: null, signal: 'SIGKILL' } })
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test.each(['close-input', 'close-output'])(
    'counts as ended when it closes its input or output (%s)',
    async (mode) => {
      const transport = open(mode)
      await wire.untilReceived(1)
      void transport.send(ping)
      await expect(transport.closed).resolves.toMatchObject({ code: 'BACKEND_EXITED', exit: undefined })
    },
  )

  test('is ended together with the rest of its group', async () => {
    const transport = open(['orphan', 'group'], { limits: { graceMs: 200 } })
    await wire.untilReceived(1)
    await expect(transport.closed).resolves.toMatchObject({ exit: { code: 0 } })
    const { pid } = paramsAt() as { pid: number }
    await expect.poll(() => isRunning(pid), pollTimeout).toBe(false)
  })
})

describe('a peer that dies while this side writes to it', () => {
  test.each([
    ['before the first write', 0],
    ['in the middle of a large one', 4_000_000],
  ])('%s does no harm', async (_name, length) => {
    const transport = open('echo')
    const text = 'x'.repeat(length)
    const wait = transport.send({ kind: 'notification', dialect: '2.0', method: 'a', params: payloadOf({ text }) })
    process.kill(pidOf(transport), 'SIGKILL')
    for (let count = 0; count < 10; count += 1) void transport.send(ping)
    await wait
    await expect(transport.closed).resolves.toBeInstanceOf(ChildExited)
  })

  test('is not an error while it is being closed', async () => {
    const transport = open('echo')
    void transport.send(ping)
    const closing = transport.close()
    process.kill(pidOf(transport), 'SIGKILL')
    await closing
    await expect(transport.closed).resolves.toBeUndefined()
  })

  test('and one that never reads is given up before it fills the memory', async () => {
    const transport = open('echo', { limits: { buffered: 1_000_000, graceMs: 100 } })
    process.kill(pidOf(transport), 'SIGSTOP')
    const params = payloadOf({ text: 'x'.repeat(10_000) })
    for (let count = 0; count < 1_000; count += 1) {
      void transport.send({ kind: 'notification', dialect: '2.0', method: 'a', params })
    }
    const error = await transport.closed
    expect(error).toBeInstanceOf(ChildExited)
    expect(error?.cause).toMatchObject({ code: 'LIMIT_REACHED' })
  })
})

describe('closing', () => {
  test('lets a child exit that obeys the end of its input', async () => {
    const graceMs = 20_000
    const transport = open('echo', { limits: { graceMs } })
    await expectEcho(transport, 0)
    const start = performance.now()
    await transport.close()
    expect(performance.now() - start).toBeLessThan(graceMs)
  })

  test('ends a child that ignores the end of its input and SIGTERM', async () => {
    const transport = open('stubborn', { limits: { graceMs: 200 } })
    await wire.untilReceived(1)
    const tree = listTree(transport)
    expect(tree).toHaveLength(1)
    await transport.close()
    await expect(untilGone(tree, 0)).resolves.toBeUndefined()
  })

  test.each([
    ['a program that started another one', { mode: ['parent', 'stubborn'] }],
    ['a program that started one that started another one', { mode: ['parent', 'parent', 'stubborn'] }],
  ])('ends the whole tree of %s', async (_name, { mode }) => {
    const transport = open(mode, { limits: { graceMs: 200 } })
    await wire.untilReceived(1)
    const tree = listTree(transport)
    expect(tree).toHaveLength(mode.length)
    await transport.close()
    await expect(untilGone(tree, 0)).resolves.toBeUndefined()
  })

  test('ends the children of a shell', async () => {
    const options = childOptions(guard, 'echo')
    const line = [options.command, ...options.args].map((word) => `'${word}'`).join(' ')
    const transport = open([], { command: 'sh', args: ['-c', `${line}; true`] })
    await expectEcho(transport, 0)
    const tree = listTree(transport)
    expect(tree).toHaveLength(2)
    await transport.close()
    await expect(untilGone(tree, 0)).resolves.toBeUndefined()
  })

  test('ends a process that has left the group for its own session', async () => {
    const transport = open(['orphan', 'session'], { limits: { graceMs: 200 } })
    await wire.untilReceived(1)
    const { pid } = paramsAt() as { pid: number }
    expect(process.kill(pid, 0)).toBe(true)
    await transport.close()
    await expect.poll(() => isRunning(pid), pollTimeout).toBe(false)
  })
})

/** Never 0, which would mean this test's own process group. */
function pidOf({ pid }: ChildTransport): number {
  if (pid === undefined) throw new Error('Expected a process, got none')
  return pid
}

/** The child and all its descendants. */
function listTree({ pid }: ChildTransport): readonly ProcessInfo[] {
  return [...listDescendants().filter((info) => info.pid === pid), ...listDescendants(pid)]
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
