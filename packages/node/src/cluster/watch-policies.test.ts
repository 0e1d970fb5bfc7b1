import { type Log, type NodeChange, silentLog } from '@junctor/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchPolicies } from './watch-policies.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** Watches a fabric whose nodes announce what the test says. */
function watch(said: (message: string) => void = () => {}) {
  const changes: NodeChange[] = []
  let wake = Promise.withResolvers<void>()
  const fabric = {
    node: 'own',
    async *nodes(signal: AbortSignal): AsyncGenerator<NodeChange, void> {
      while (!signal.aborted) {
        yield* changes.splice(0)
        await wake.promise
        wake = Promise.withResolvers()
      }
    },
  }
  const warned: unknown[] = []
  const log: Log = {
    ...silentLog,
    warn(message, fields) {
      said(message)
      warned.push(fields)
    },
  }
  const watching = watchPolicies(fabric, log, expect.unreachable)
  /** A gateway announces its policy. */
  const announce = async (node: string, policy: string): Promise<void> => {
    const about = { role: 'gateway', policy }
    changes.push({ kind: 'changed', node, about })
    wake.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const close = async (): Promise<void> => {
    await watching.close()
    wake.resolve()
  }
  return { announce, warned, close }
}

test('nodes that apply a new configuration one after the other are no reason for a warning', async () => {
  const { announce, warned, close } = watch()
  for (const policy of ['first', 'second', 'third']) {
    await announce('own', policy)
    vi.advanceTimersByTime(1_000)
    await announce('other', policy)
    vi.advanceTimersByTime(60_000)
  }
  expect(warned).toEqual([])
  await close()
})

test('a difference that lasts is logged once, and again when the policies have changed', async () => {
  const { announce, warned, close } = watch()
  await announce('own', 'a')
  await announce('other', 'b')
  vi.advanceTimersByTime(5_000)
  await announce('other', 'c')
  vi.advanceTimersByTime(5_000)
  const first = { node: 'other', policy: 'c', own: 'a' }
  expect(warned).toEqual([first])
  vi.advanceTimersByTime(600_000)
  await announce('other', 'd')
  vi.advanceTimersByTime(10_000)
  expect(warned).toEqual([first, { ...first, policy: 'd' }])
  await announce('other', 'e')
  await close()
  vi.advanceTimersByTime(10_000)
  expect(warned).toHaveLength(2)
})

test('the warning names another version as a reason: the defaults of two versions differ', async () => {
  const messages: string[] = []
  const { announce, close } = watch((message) => void messages.push(message))
  await announce('own', 'a')
  await announce('other', 'b')
  vi.advanceTimersByTime(10_000)
  expect(messages).toEqual([expect.stringContaining('it runs another version')])
  await close()
})
