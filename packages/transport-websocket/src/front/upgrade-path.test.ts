import { expect, test } from 'vitest'
import { upgradePath } from './upgrade-path.ts'

test.each([
  ['/mcp', undefined],
  ['/mcp/', undefined],
  ['/mcp/acme?x=1', 'acme'],
  ['/mcp/acme/-/files', 'acme/-/files'],
  ['/mcp/-/files', '/-/files'],
  // The endpoint of a backend has one path.
  ['/mcp/acme%2F-%2Ffiles', 'acme%2F-%2Ffiles'],
])('%s names the endpoint %o', (url, tenant) => {
  expect(upgradePath(url)).toEqual({ tenant })
})

test.each(['/other', '/mcpx', '/mcp/acme/session', '/mcp/%zz'])('%s is no endpoint', (url) => {
  expect(upgradePath(url)).toBeUndefined()
})
