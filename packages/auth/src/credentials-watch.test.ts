import type { Head } from '@junctor/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CredentialsWatch, type CredentialsStatus } from './credentials-watch.ts'

const states = new Map<
  string,
  CredentialsStatus | Promise<CredentialsStatus> | (() => Promise<CredentialsStatus>) | Error
>()
const failed = vi.fn<(error: unknown) => void>()
let asked: string[] = []
let watch: CredentialsWatch

function headOf(token: string): Head {
  return { transport: 'http', tenant: undefined, loopback: true, header: () => token }
}

function watched(token: string) {
  const withdrawn = vi.fn<() => void>()
  const end = watch.watch(headOf(token), { withdrawn })
  return { withdrawn, end }
}

beforeEach(() => {
  vi.useFakeTimers()
  states.clear()
  asked = []
  failed.mockClear()
  watch = new CredentialsWatch({
    standing(head) {
      const token = String(head.header('authorization'))
      asked.push(token)
      const state = states.get(token) ?? 'good'
      if (state instanceof Error) throw state
      return typeof state === 'function' ? state() : state
    },
    failed,
  })
})

afterEach(() => {
  watch.close()
  vi.useRealTimers()
})

test('what is withdrawn ends within a second, once, and nothing else does', async () => {
  const [ada, bob, eve] = [watched('ada'), watched('bob'), watched('eve')]
  await vi.advanceTimersByTimeAsync(5_000)
  states.set('ada', 'withdrawn')
  states.set('eve', 'unknown')
  await vi.advanceTimersByTimeAsync(999)
  expect(ada.withdrawn).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(5_000)
  expect([ada, bob, eve].map(({ withdrawn }) => withdrawn.mock.calls.length)).toEqual([1, 0, 0])
})

test('nothing is asked while nothing is open', async () => {
  const { end, withdrawn } = watched('ada')
  end()
  end()
  expect(vi.getTimerCount()).toBe(0)
  states.set('ada', 'withdrawn')
  watch.check()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([asked, withdrawn.mock.calls]).toEqual([[], []])
})

test('a stream that ends while its credentials are judged is not ended again', async () => {
  const { promise, resolve } = Promise.withResolvers<CredentialsStatus>()
  states.set('ada', promise)
  const { end, withdrawn } = watched('ada')
  watch.check()
  end()
  resolve('withdrawn')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(withdrawn).not.toHaveBeenCalled()
})

test('an error of one concerns no other', async () => {
  states.set('ada', new Error('broken'))
  states.set('bob', 'withdrawn')
  states.set('eve', () => Promise.reject(new Error('broken too')))
  const thrower = { withdrawn: vi.fn<() => void>(() => void fail()) }
  states.set('dan', 'withdrawn')
  watch.watch(headOf('dan'), thrower)
  const [, bob] = [watched('ada'), watched('bob'), watched('eve')]
  await vi.advanceTimersByTimeAsync(500)
  expect(bob.withdrawn).toHaveBeenCalledOnce()
  expect(thrower.withdrawn).toHaveBeenCalledOnce()
  expect(failed.mock.calls.map(([error]) => String(error)).toSorted()).toEqual([
    'Error: broken',
    'Error: broken too',
    'Error: of the listener',
  ])
})

function fail(): never {
  throw new Error('of the listener')
}

test('many are judged a few at a time, and a change meanwhile is noticed', async () => {
  const gates = Array.from({ length: 40 }, (_, index) => {
    const gate = Promise.withResolvers<CredentialsStatus>()
    states.set(String(index), gate.promise)
    return gate
  })
  const all = gates.map((_, index) => watched(String(index)))
  watch.check()
  expect(asked).toHaveLength(16)
  // The configuration changes while they are judged.
  watch.check()
  for (const gate of gates) gate.resolve('good')
  await vi.advanceTimersByTimeAsync(0)
  // The first ones again, and then all others.
  expect(asked).toHaveLength(56)
  states.set('3', 'withdrawn')
  await vi.advanceTimersByTimeAsync(500)
  expect(all.map(({ withdrawn }) => withdrawn.mock.calls.length).indexOf(1)).toBe(3)
  watch.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('a key that the configuration has no more ends at once while nothing answers for the tokens of others', async () => {
  for (let index = 0; index < 160; index += 1) {
    const slow = async (): Promise<CredentialsStatus> => {
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      return 'unknown'
    }
    states.set(String(index), slow)
    watched(String(index))
  }
  const key = watched('key')
  // A round takes ten times the five seconds.
  await vi.advanceTimersByTimeAsync(60_000)
  states.set('key', 'withdrawn')
  watch.check()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(key.withdrawn).toHaveBeenCalledOnce()
})
