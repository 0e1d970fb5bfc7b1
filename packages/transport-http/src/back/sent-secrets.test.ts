import { expect, test } from 'vitest'
import { sentSecrets } from './sent-secrets.ts'

test.each([
  ['/mcp', [], []],
  ['/mcp', ['accept', 'a', 'user-agent', 'b', 'mcp-method', 'tools/call', 'mcp-param-region', 'eu'], []],
  ['/mcp', ['authorization', 'Bearer abc', 'x-key', 'k'], ['Bearer abc', 'abc', 'k']],
  ['/mcp?key=a%20b&c', [], ['a%20b', 'c', 'a b']],
  ['/s/0123456789-0123456789/mcp', [], ['0123456789-0123456789']],
])('%s with %j may show %j', (path, headers, secrets) => {
  expect(sentSecrets(path, headers).filter((one) => one !== '')).toEqual(secrets)
})
