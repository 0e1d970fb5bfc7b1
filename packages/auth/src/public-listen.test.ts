import { describe, expect, test } from 'vitest'
import { refusesPublicListen } from './public-listen.ts'

const open = { authenticated: false, anonymous: false }

test.each(['127.0.0.1', '127.0.0.5', '::1', '[::1]', 'localhost', 'LocalHost'])(
  '%s needs no authentication',
  (host) => {
    expect(refusesPublicListen({ host, ...open })).toEqual({ refused: false })
  },
)

describe.each([
  '0.0.0.0',
  '::',
  '',
  '192.168.1.2',
  '10.0.0.1',
  'gw.example.com',
  'my.localhost',
  '127.0.0.1.nip.io',
  '0',
])('listening on %o', (host) => {
  test('is refused without authentication, and the message names the remedies', () => {
    expect(refusesPublicListen({ host, ...open })).toEqual({
      refused: true,
      message: expect.stringContaining('anonymous'),
    })
  })

  test.each([
    { authenticated: true, anonymous: false },
    { authenticated: false, anonymous: true },
  ])('is allowed with %o', (plan) => {
    expect(refusesPublicListen({ host, ...plan })).toEqual({ refused: false })
  })
})
