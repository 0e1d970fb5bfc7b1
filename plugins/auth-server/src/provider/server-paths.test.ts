import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import { expect, test } from 'vitest'
import { isEndpoint, serverPaths } from './server-paths.ts'

const issuer = 'https://gw.example.com'

test.each(['/mcp', '/mcp/acme', '/mcp/-/files', '/mcp/acme/-/files', '/mcp/a%20b', '/sse/acme'])(
  '%s is an endpoint',
  (path) => {
    expect(isEndpoint(issuer, `${issuer}${path}`)).toBe(true)
  },
)

test.each([
  '',
  '/',
  '/mcp/',
  '/mcps',
  '/mcp?x=1',
  '/mcp#x',
  '/mcp/acme/session',
  '/mcp/-/',
  '/mcp/-',
  '/oauth/token',
  '/mcp/../oauth',
])('%j is none', (path) => {
  expect(isEndpoint(issuer, `${issuer}${path}`)).toBe(false)
})

test('an endpoint of another host is none', () => {
  expect(isEndpoint(issuer, 'https://gw.example.com.evil.com/mcp')).toBe(false)
  expect(isEndpoint(issuer, 'http://gw.example.com/mcp')).toBe(false)
})

test('the server is below the path of the public URL', () => {
  expect(serverPaths('https://example.com/gw', defaultOAuthPaths)).toEqual({
    issuer: 'https://example.com/gw',
    prefix: '/gw',
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    register: '/oauth/register',
    revoke: '/oauth/revoke',
    introspect: '/oauth/introspect',
    keys: '/oauth/keys',
    callback: '/oauth/callback',
    backchannelLogout: '/oauth/backchannel-logout',
    interaction: '/oauth/interaction',
  })
})
