import { expect, it } from 'vitest'
import { settlesWithin } from './settles-within.ts'

it('returns whether the promise settles in time', async () => {
  expect(await settlesWithin(Promise.resolve(), 1_000)).toBe(true)
  expect(await settlesWithin(new Promise(() => {}), 1)).toBe(false)
})

it('rejects when the promise rejects', async () => {
  await expect(settlesWithin(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused')
})

it('has no limit when the time is infinite', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = settlesWithin(promise, Infinity)
  expect(await settlesWithin(waiting, 20)).toBe(false)
  resolve()
  expect(await waiting).toBe(true)
})
