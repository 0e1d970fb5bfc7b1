import { describe, expect, test } from 'vitest'
import { isLoopbackAddress, parseAuthority } from './admission-authority.ts'
import { createAdmission } from './admission.ts'

const local = createAdmission({})

const notLocal = [
  '',
  'evil.example.com',
  'evil.localhost',
  'localhost.evil.com',
  'localhost.',
  '127.0.0.1.',
  'localhost:80:80',
  'localhost:',
  'localhost:0',
  'localhost:080',
  'localhost:65536',
  'localhost:99999999999',
  'localhost:3000@evil.com',
  'evil.com@localhost',
  'user:password@localhost',
  'localhost, evil.com',
  'localhost evil.com',
  'localhost/evil',
  'localhost#',
  'localhost?x',
  'localhost\\evil.com',
  'localhost%00.evil.com',
  'localhost\n',
  '127.0.0.1.nip.io',
  '127.1',
  '127.0.0.2',
  '0x7f.0.0.1',
  '2130706433',
  '0177.0.0.1',
  '0.0.0.0',
  '::1',
  '[::]',
  '[::1',
  '[::1]evil.com',
  '[::1]:',
  '[::ffff:127.0.0.1]',
  '[fe80::1%25eth0]',
  '169.254.169.254',
  'ⓛocalhost',
  'lоcalhost',
  '*',
  'x'.repeat(10_000),
]

describe('an empty list of hosts admits only this machine', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'localhost:3000', '127.0.0.1:1', '[::1]:65535', 'LocalHost:80'])(
    '%s is admitted',
    (host) => {
      expect(local.admit(host, undefined)).toEqual({ ok: true })
    },
  )

  test.each(notLocal)('%o is refused', (host) => {
    expect(local.admit(host, undefined)).toMatchObject({ ok: false, situation: 'origin_refused' })
  })

  test('a request without Host is refused', () => {
    expect(local.admit(undefined, undefined)).toMatchObject({ ok: false, message: 'Host is missing' })
  })
})

describe('an empty list of origins admits only pages of this machine', () => {
  test.each([
    undefined,
    'http://localhost',
    'https://localhost:5173',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'HTTP://LOCALHOST',
  ])('%s is admitted', (origin) => {
    expect(local.admit('localhost', origin)).toEqual({ ok: true })
  })

  test.each([
    ...notLocal.map((host) => `http://${host}`),
    'null',
    'localhost',
    'http://localhost/',
    'http://localhost:3000/path',
    'ftp://localhost',
    'file://',
    'file://localhost',
    'javascript://localhost',
    'http:localhost',
    'http:/localhost',
    'http:///localhost',
    ' http://localhost',
    'http://localhost http://localhost',
    'chrome-extension://abc',
    'https://evil.com?x=http://localhost',
  ])('%o is refused', (origin) => {
    expect(local.admit('localhost', origin)).toMatchObject({ ok: false, situation: 'origin_refused' })
  })
})

describe('lists', () => {
  const listed = createAdmission({
    allowedHosts: ['gw.example.com', 'Other.example.com:8443', '[2001:db8::1]'],
    allowedOrigins: [
      'https://app.example.com',
      'http://localhost:5173',
      'HTTPS://Old.example.com:443',
      'vscode-webview://1a2b',
    ],
  })

  test.each(['gw.example.com', 'GW.example.com:443', 'gw.example.com:1', 'other.example.com:8443', '[2001:db8::1]:80'])(
    'Host %s is admitted',
    (host) => {
      expect(listed.admit(host, undefined)).toEqual({ ok: true })
    },
  )

  test.each([
    'localhost',
    '127.0.0.1:3000',
    'other.example.com',
    'other.example.com:8444',
    'gw.example.com.',
    'gw.example.com.evil.com',
    'xgw.example.com',
    'a.gw.example.com',
    'gw.example.com:443@evil.com',
    'gw.example.com:70000',
  ])('Host %s is refused', (host) => {
    expect(listed.admit(host, undefined)).toMatchObject({ ok: false, situation: 'origin_refused' })
  })

  test.each([
    undefined,
    'https://app.example.com',
    'https://app.example.com:443',
    'https://old.example.com',
    'http://localhost:5173',
    'vscode-webview://1a2b',
  ])('Origin %s is admitted', (origin) => {
    expect(listed.admit('gw.example.com', origin)).toEqual({ ok: true })
  })

  test.each([
    '',
    'null',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.com',
    'https://app.example.com@evil.com',
    'https://evil.com#https://app.example.com',
    'http://localhost',
    'http://localhost:5174',
    'vscode-webview://1a2b3',
    'vscode-webview://1a2b/x',
  ])('Origin %o is refused', (origin) => {
    expect(listed.admit('gw.example.com', origin)).toMatchObject({ ok: false, situation: 'origin_refused' })
  })

  test.each([
    { allowedHosts: ['*'] },
    { allowedHosts: ['https://gw.example.com'] },
    { allowedHosts: ['gw.example.com/mcp'] },
    { allowedHosts: ['::1'] },
    { allowedHosts: [''] },
    { allowedOrigins: ['*'] },
    { allowedOrigins: ['null'] },
    { allowedOrigins: ['app.example.com'] },
    { allowedOrigins: ['https://app.example.com/'] },
    { allowedOrigins: ['https://*.example.com'] },
  ])('%o is refused with CONFIG_INVALID', (options) => {
    expect(() => createAdmission(options)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })
})

test('an admitted request does not admit the next one', () => {
  const admission = createAdmission({})
  expect(admission.admit('localhost', 'http://evil.com').ok).toBe(false)
  const good = ['localhost', 'http://localhost'] as const
  expect(admission.admit(...good).ok).toBe(true)
  expect(admission.admit('evil.com', 'http://localhost').ok).toBe(false)
  expect(admission.admit('evil.com', 'http://localhost').ok).toBe(false)
  expect(admission.admit('localhost', 'http://evil.com').ok).toBe(false)
  expect(admission.admit('localhost', 'http://evil.com').ok).toBe(false)
  expect(admission.admit(...good).ok).toBe(true)
})

test('a refusal repeats the beginning of the refused value', () => {
  const verdict = local.admit(`"\n${'x'.repeat(500)}`, undefined)
  expect(verdict).toMatchObject({ message: expect.stringMatching(/^Host "\\"\\nx{98}\.\.\." is not/) })
})

test('an authority is parsed into a host in lower case and a port', () => {
  expect(parseAuthority('GW.Example.com:8443')).toEqual({ host: 'gw.example.com', port: '8443' })
  expect(parseAuthority('[::1]')).toEqual({ host: '[::1]', port: undefined })
})

describe('addresses', () => {
  test.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.9'])(
    '%s is a loopback address',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(true)
    },
  )

  test.each([
    '',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    '127.0.0',
    '127.0.0.1.evil.com',
    '1270.0.0.1',
    '127.0.0.01',
    '::2',
    '::ffff:10.0.0.1',
    'localhost',
  ])('%o is not a loopback address', (address) => {
    expect(isLoopbackAddress(address)).toBe(false)
  })
})
