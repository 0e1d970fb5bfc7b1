import { expect, test } from 'vitest'
import { allowedHosts, hostOf } from './allowed-hosts.ts'

test('hosts are compared as URLs write them', () => {
  const hosts = [...allowedHosts(['LOCALHOST', '127.1', '::1', 'weather.internal.'])]
  expect(hosts).toEqual(['localhost', '127.0.0.1', '::1', 'weather.internal'])
  expect(hostOf(new URL('http://[0:0::1]:80/'))).toBe('::1')
  expect(hostOf(new URL('http://Weather.Internal./x'))).toBe('weather.internal')
})

test.each(['', 'http://x', 'a/b', 'a:80', 'me@a', 'a b'])('%j is no host', (text) => {
  expect(() => allowedHosts([text])).toThrow('Expected a host')
})
