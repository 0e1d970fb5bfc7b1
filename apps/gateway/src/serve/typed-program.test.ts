import { expect, test } from 'vitest'
import { typedProgram } from './typed-program.ts'

test.each([
  ['/usr/local/bin/junctor', '/home/me', 'junctor'],
  ['/home/me/node_modules/junctor/dist/main.js', '/home/me', 'junctor'],
  ['/home/me/clone/apps/gateway/src/main.ts', '/home/me/clone', 'bin/junctor'],
  ['/home/me/clone/apps/gateway/src/main.ts', '/home/me', 'clone/bin/junctor'],
  ['/home/me/clone/apps/gateway/src/main.ts', '/srv', '/home/me/clone/bin/junctor'],
])('the program %s in %s is typed as %s', (program, folder, typed) => {
  expect(typedProgram(program, folder)).toBe(typed)
})
