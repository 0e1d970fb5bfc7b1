import { expect, test } from 'vitest'
import { urlHost } from './url-host.ts'

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['fe80::1', '[fe80::1]'],
  ['10.0.0.1', '10.0.0.1'],
  ['localhost', 'localhost'],
])('clients reach the address %s at the host %s', (host, expected) => {
  expect(urlHost(host)).toBe(expected)
})
