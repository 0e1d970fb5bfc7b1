import { expect, test } from 'vitest'
import { describeRedirect } from './describe-redirect.ts'

test.each([
  ['https://other.example/mcp/', 'https://other.example/mcp/'],
  ['https://me:secret@other.example:8443/mcp?token=secret#secret', 'https://other.example:8443/mcp'],
  ['/mcp/', '/mcp/'],
  ['mcp/?token=secret', '/mcp/'],
  ['//other.example/mcp', 'http://other.example/mcp'],
])('%s leads to %s, without what may be secret', (location, target) => {
  const text = `it redirects to ${target}, so the URL in the configuration must be that one`
  expect(describeRedirect(307, location)).toBe(text)
})

test('a long path is shortened', () => {
  expect(describeRedirect(301, `/${'x'.repeat(5_000)}`)?.length).toBeLessThan(300)
})

test.each([
  [200, '/mcp/'],
  [304, '/mcp/'],
  [307, undefined],
  [307, 'http://'],
  [307, 'javascript:alert(1)'],
])('HTTP %d with %s is no redirect to a URL', (status, location) => {
  expect(describeRedirect(status, location)).toBeUndefined()
})
