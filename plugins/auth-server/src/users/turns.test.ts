import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('some tasks run at the same time, some wait in turn, and more are not run', async () => {
  const takeTurn = createTurns(2, 1)
  const begun: string[] = []
  const task = (name: string) => {
    const end = Promise.withResolvers<string>()
    const result = takeTurn(() => {
      begun.push(name)
      return end.promise
    })
    return { result, end }
  }
  const [one, two, three, four] = [task('one'), task('two'), task('three'), task('four')]
  expect(begun).toEqual(['one', 'two'])
  expect(four.result).toBeUndefined()
  // One that fails makes room too.
  two.end.reject(new Error('failed'))
  await expect(two.result).rejects.toThrow('failed')
  await expect.poll(() => begun).toEqual(['one', 'two', 'three'])
  const five = task('five')
  one.end.resolve('first')
  expect(await one.result).toBe('first')
  for (const { end } of [three, five]) end.resolve('last')
  expect(await Promise.all([three.result, five.result])).toEqual(['last', 'last'])
})
