import { expect, test } from 'vitest'
import { describeRedirect } from './describe-redirect.ts'

test.each([301, 302, 303, 307, 308])('HTTP %d says what to correct, and not where it leads', (status) => {
  const text = describeRedirect(status, 'https://me:secret@secret.example/secret?token=secret')
  expect(text).toBe('it redirects, so the URL in the configuration must be the one that the redirect leads to')
})

test.each([
  [200, '/mcp/'],
  [304, '/mcp/'],
  [307, undefined],
])('HTTP %d with %s is no redirect', (status, location) => {
  expect(describeRedirect(status, location)).toBeUndefined()
})
