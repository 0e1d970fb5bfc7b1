import { expect, test } from 'vitest'
import { statusCommand } from './status-command.ts'

const url = 'http://127.0.0.1:3001'
const listen = (token: string | undefined) => ({ listen: { admin: { host: '127.0.0.1', port: 0, token } } }) as never

test.each([
  ['x', undefined, `junctor status --admin ${url} --token x`],
  ['x', 'junctor.yaml', `junctor status --admin ${url} --config junctor.yaml`],
  ['x', 'my file.yaml', `junctor status --admin ${url} --config "my file.yaml"`],
  [undefined, 'junctor.yaml', undefined],
])('token %s, file %s', (token, file, command) => {
  expect(statusCommand({ url, config: listen(token), file, program: 'junctor' })).toBe(command)
})
