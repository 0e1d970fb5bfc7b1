import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { listDescendants, untilGone, untilNoDescendants } from './descendants.ts'

const started: ChildProcess[] = []

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

/** A shell that waits for its child, which waits for the end of its input. */
async function startTree(): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', 'echo ready; cat >/dev/null; true'], { stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  await once(child.stdout, 'data')
  return child
}

async function untilBothRun(child: ChildProcess): Promise<void> {
  await expect.poll(() => listDescendants(child.pid).map(({ command }) => command)).toEqual(['cat'])
}

test('children and grandchildren are listed', async () => {
  const child = await startTree()
  await untilBothRun(child)
  const [shell, cat] = listDescendants()
  expect(shell).toMatchObject({ pid: child.pid, parent: process.pid, command: expect.stringContaining('sh -c') })
  expect(cat).toMatchObject({ parent: child.pid, command: 'cat' })
})

test('waiting ends when all of them are gone', async () => {
  const child = await startTree()
  await untilBothRun(child)
  const tree = listDescendants()
  child.stdin?.end()
  await untilGone(tree)
  await untilNoDescendants()
  expect(listDescendants()).toEqual([])
})

test('the error names the processes that are left', async () => {
  const child = await startTree()
  await untilBothRun(child)
  await expect(untilGone(listDescendants(), 50)).rejects.toThrow(/got 2: \d+ \(sh -c .*\), \d+ \(cat\)/)
  await expect(untilNoDescendants({ ms: 50 })).rejects.toThrow('got 2')
  await untilNoDescendants({ root: child.pid ?? NaN, except: 'cat', ms: 50 })
  child.stdin?.end()
})
