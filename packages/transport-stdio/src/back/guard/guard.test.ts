import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { silentLog } from '@junctor/contracts'
import { listDescendants, untilGone, untilNoDescendants } from '@junctor/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { createMemoryLog } from '../../../fixtures/memory-log.ts'
import { createGuard } from './guard.ts'

/** A timeout for a busy machine. */
const pollTimeout = { timeout: 5_000, interval: 5 }

const nodes: ChildProcess[] = []

afterEach(async () => {
  for (const node of nodes.splice(0)) {
    node.kill('SIGKILL')
    if (node.exitCode === null && node.signalCode === null) await once(node, 'exit')
  }
  await untilNoDescendants()
})

const childProgram = fileURLToPath(new URL('../../../fixtures/child.mjs', import.meta.url))
const holdChildren = fileURLToPath(new URL('../../../fixtures/hold-children.ts', import.meta.url))
const closeChildren = fileURLToPath(new URL('../../../fixtures/close-children.ts', import.meta.url))

/** A node in its own process, whose children have all answered. */
async function hold(count: number, command: string, ...args: string[]): Promise<ChildProcess> {
  const node = spawn(process.execPath, [holdChildren, String(count), command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  nodes.push(node)
  await once(node.stdout, 'data')
  return node
}

/** A shell that sends one line back. After that it ignores the end of its input. */
const answer = 'read line; echo "$line"'
const stubborn = `'${process.execPath}' '${childProgram}' stubborn`

describe('when the node is killed', () => {
  test.each([
    ['200 children', 200, 'sh', ['-c', `${answer}; exec sleep 1000`], 201],
    ['shells and what they have started', 5, 'sh', ['-c', `${answer}; sleep 1000; true`], 11],
    ['children that have cleared their environment', 3, 'sh', ['-c', `${answer}; exec env -i sleep 1000`], 4],
    ['children that ignore the end of their input and SIGTERM', 3, process.execPath, [childProgram, 'stubborn'], 4],
    ['a process that has left its group', 3, 'sh', ['-c', `setsid sleep 1000 & ${answer}; wait`], 7],
    [
      'a process that has left its group and ignores SIGTERM',
      1,
      'sh',
      ['-c', `setsid ${stubborn} >/dev/null & ${answer}; wait`],
      3,
    ],
  ])('nothing is left of %s', async (_name, count, command, args, expected) => {
    const node = await hold(count, command, ...args)
    await expect.poll(() => listDescendants(node.pid), pollTimeout).toHaveLength(expected)
    const processes = listDescendants(node.pid)
    node.kill('SIGKILL')
    await expect(untilGone(processes)).resolves.toBeUndefined()
  })

  test.each<[string, NodeJS.Signals]>([
    ['interrupted', 'SIGINT'],
    ['terminated', 'SIGTERM'],
    ['hung up on', 'SIGHUP'],
  ])('nothing is left, though its guard was %s before', async (_name, signal) => {
    const node = await hold(1, 'sh', '-c', `${answer}; exec sleep 1000`)
    await untilGuarded(node)
    const processes = listDescendants(node.pid)
    process.kill(guardOf(node), signal)
    node.kill('SIGKILL')
    await expect(untilGone(processes)).resolves.toBeUndefined()
  })

  test('no process is left, although its first guard was killed', async () => {
    const node = await hold(1, process.execPath, childProgram, 'stubborn')
    const processes = listDescendants(node.pid)
    const first = guardOf(node)
    process.kill(first, 'SIGKILL')
    await expect.poll(() => guardsOf(node), pollTimeout).toEqual([expect.not.toBeOneOf([first])])
    const [second] = listDescendants(node.pid).filter(({ pid }) => pid === guardOf(node))
    node.kill('SIGKILL')
    await expect(untilGone([...processes, second].filter((info) => info !== undefined))).resolves.toBeUndefined()
  })
})

test('a node that has closed its children exits, and its guard too', async () => {
  const node = spawn(process.execPath, [closeChildren], { stdio: ['pipe', 'pipe', 'inherit'] })
  nodes.push(node)
  await once(node.stdout, 'data')
  const processes = listDescendants(node.pid)
  expect(processes).toHaveLength(2)
  node.stdin.end()
  const [code] = (await once(node, 'exit')) as [number]
  expect(code).toBe(0)
  await untilGone(processes)
})

describe('a guard', () => {
  test('starts with the first child, and serves all of them', async () => {
    const guard = createGuard(silentLog)
    expect(guardsOf(process)).toEqual([])
    guard.child()
    guard.child()
    await expect.poll(() => guardsOf(process), pollTimeout).toHaveLength(1)
    await guard.close()
    expect(guardsOf(process)).toEqual([])
  })

  test('marks each child differently, and differently from every other guard', async () => {
    const guards = [createGuard(silentLog), createGuard(silentLog)]
    const marks = guards.flatMap((guard) => [guard.child(), guard.child()]).map(({ environment }) => environment)
    expect(new Set(marks.map((environment) => JSON.stringify(environment))).size).toBe(4)
    await Promise.all(guards.map((guard) => guard.close()))
  })

  test('that is closed ends the remaining children, and may be closed again', async () => {
    const guard = createGuard(silentLog)
    const child = guard.child()
    const program = spawn('cat', { detached: true, env: { ...child.environment }, stdio: ['pipe', 'ignore', 'ignore'] })
    child.started(program.pid ?? NaN)
    const exited = once(program, 'exit')
    await guard.close()
    await guard.close()
    expect(await exited).toEqual([null, 'SIGTERM'])
  })

  test('that was never needed is closed without being started', async () => {
    await createGuard(silentLog).close()
    expect(guardsOf(process)).toEqual([])
  })

  test('whose process ends logs a warning', async () => {
    const log = createMemoryLog()
    const guard = createGuard(log)
    guard.child()
    await expect.poll(() => guardsOf(process), pollTimeout).toHaveLength(1)
    process.kill(guardOf(process), 'SIGKILL')
    await expect.poll(() => log.entries, pollTimeout).toEqual([expect.objectContaining({ level: 'warn' })])
    await guard.close()
  })
})

interface Process {
  readonly pid?: number | undefined
}

function guardsOf({ pid }: Process): readonly number[] {
  return listDescendants(pid)
    .filter(({ command }) => command.includes('junctor-guard'))
    .map((info) => info.pid)
}

function guardOf(node: Process): number {
  const [guard, ...more] = guardsOf(node)
  if (guard === undefined || more.length > 0) throw new Error(`Expected one guard, got ${more.length}`)
  return guard
}

/** Waits until the guard runs its program: before that, a signal would simply end it. */
async function untilGuarded(node: Process): Promise<void> {
  await expect
    .poll(() => listDescendants(node.pid).map(({ command }) => command), pollTimeout)
    .toContain('junctor-guard')
}
