import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { homeFolder } from './home-folder.ts'

test('a user that the system does not know has the root as home', () => {
  expect(homeFolder()).toBe(homedir())
  expect(
    homeFolder(() => {
      throw new Error('uv_os_homedir returned ENOENT')
    }),
  ).toBe('/')
})
