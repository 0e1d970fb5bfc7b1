import { expect, test } from 'vitest'
import { type Checked, expectSame, runChecks } from './check.ts'

test('a check that fails says why, and the next ones are tried all the same', async () => {
  const seen: Checked[] = []
  const checks = [
    { name: 'a', run: () => Promise.reject(new Error('it is not there')) },
    { name: 'b', run: () => Promise.resolve() },
  ]
  const all = await runChecks(checks, (checked) => seen.push(checked))
  expect(all).toEqual([{ name: 'a', problem: 'it is not there' }, { name: 'b' }])
  expect(seen).toEqual(all)
})

test('values that differ are both shown', () => {
  expect(() => expectSame([401, true], [200, true], 'status')).toThrow('Expected [200,true] as status, got [401,true]')
  expect(() => expectSame([200], [200], 'status')).not.toThrow()
})
