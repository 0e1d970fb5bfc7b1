import { describe, expect, test } from 'vitest'
import { judgeTarget } from './judge-target.ts'

const headers = (...hosts: string[]): string[] => ['Accept', '*/*', ...hosts.flatMap((host) => ['hOsT', host])]

const authorizations = ['Authorization', 'Bearer a', 'authorization', 'Bearer b']

describe('a request that names one host and one caller is admitted', () => {
  test.each([
    ['/mcp', headers('a')],
    ['/mcp', headers()],
    ['*', headers('a')],
    ['http://a/mcp', headers('a')],
    ['HTTP://A:80/mcp', headers('a:80')],
    ['https://[::1]:1?x', headers('[::1]:1')],
    ['/mcp', ['X-Host', 'b', ...headers('a'), 'Hosts', 'c']],
    ['/mcp', [...headers('a'), ...authorizations.slice(2), 'X-Authorization', 'b']],
  ])('%s with %j', (url, rawHeaders) => {
    expect(judgeTarget({ url, rawHeaders })).toEqual({ ok: true })
  })
})

describe('a request that names no host, or two, or two callers, is refused', () => {
  test.each([
    ['/mcp', headers('a', 'b'), /Host must come once/],
    ['/mcp', headers('a', 'a'), /Host must come once/],
    ['/mcp', [...headers('a'), ...authorizations], /Authorization must come once/],
    ['http://b/mcp', headers('a'), /must name the host of the Host header, got "http:\/\/b\/mcp"/],
    ['http://a:81/mcp', headers('a'), /must name the host/],
    ['http://a@b/mcp', headers('a'), /must name the host/],
    ['http:///mcp', headers('a'), /must name the host/],
    ['http://a/mcp', headers(), /must name the host/],
    ['a:443', headers('a'), /must be a path/],
    ['ftp://a/mcp', headers('a'), /must be a path/],
    [undefined, headers('a'), /must be a path/],
  ])('%s with %j', (url, rawHeaders, message) => {
    expect(judgeTarget({ url, rawHeaders })).toEqual({
      ok: false,
      situation: 'invalid_request',
      message: expect.stringMatching(message) as unknown,
    })
  })
})
