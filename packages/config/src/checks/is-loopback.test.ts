import { expect, test } from 'vitest'
import { isLoopback } from './is-loopback.ts'

test.each(['127.0.0.1', '127.1.2.3', '::1', '[::1]', 'localhost'])('%s is on this machine', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.com', 'gw.example.com', '1270.0.0.1', ''])(
  '%j may be reached from elsewhere',
  (host) => {
    expect(isLoopback(host)).toBe(false)
  },
)
