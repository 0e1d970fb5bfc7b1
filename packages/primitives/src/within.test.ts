import { expect, it } from 'vitest'
import { within } from './within.ts'

it('returns whether the promise settles in time', async () => {
  expect(await within(Promise.resolve(), 1_000)).toBe(true)
  expect(await within(new Promise(() => {}), 1)).toBe(false)
})

it('rejects when the promise rejects', async () => {
  await expect(within(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused')
})

it('has no limit when the time is infinite', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = within(promise, Infinity)
  expect(await within(waiting, 20)).toBe(false)
  resolve()
  expect(await waiting).toBe(true)
})
