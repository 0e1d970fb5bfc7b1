import { describe, expect, test } from 'vitest'
import { createTrustedProxies } from './trusted-proxies.ts'

const networks = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '127.0.0.1', '::1']

function sourceOf(peer: string | undefined, forwarded?: string, trusted: readonly string[] = networks) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return createTrustedProxies(trusted).sourceOf({ socket: { remoteAddress: peer }, headers })
}

describe('the address of the client', () => {
  test.each([
    ['a trusted proxy names it', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['a single trusted address', '192.0.2.1', '203.0.113.7', '203.0.113.7'],
    ['the peer is IPv6', 'fd12::1', '2001:db8::7', '2001:db8::7'],
    ['the peer is mapped into IPv6', '::ffff:10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['the client is mapped into IPv6', '10.1.2.3', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the client is mapped, in groups', '10.1.2.3', '::FFFF:CB00:7107', '203.0.113.7'],
    ['a trusted proxy in the header is mapped', '10.1.2.3', '203.0.113.7, ::ffff:10.9.9.9', '203.0.113.7'],
    ['with a port', '10.1.2.3', '203.0.113.7:4711', '203.0.113.7'],
    ['in brackets', '10.1.2.3', '[2001:db8::7]', '2001:db8::7'],
    ['in brackets, with a port', '10.1.2.3', '[2001:db8::7]:4711', '2001:db8::7'],
    ['in another spelling', '10.1.2.3', '2001:0DB8:0:0::0007', '2001:db8::7'],
    ['through several trusted proxies', '10.1.2.3', '203.0.113.7, fd00::5 ,192.0.2.1:80', '203.0.113.7'],
    ['what the client has written stands before', '10.1.2.3', '10.0.0.1, 1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['what the client has written is garbage', '10.1.2.3', '"; drop, ,,unknown, 203.0.113.7', '203.0.113.7'],
    ['all are trusted: the first', '10.1.2.3', '10.0.0.9, 10.0.0.8', '10.0.0.9'],
    ['no header', '10.1.2.3', undefined, '10.1.2.3'],
  ])('%s', (_what, peer, forwarded, address) => {
    expect(sourceOf(peer, forwarded)).toEqual({ address, loopback: false })
  })

  test.each([
    ['no address', 'unknown'],
    ['hidden', '_hidden'],
    ['empty', ''],
    ['nothing after a comma', '203.0.113.7,'],
    ['of a socket in the file system', 'unix:'],
    ['a number', '3405803783'],
    ['hexadecimal', '0xcb.0.0x71.7'],
    ['octal', '0313.0.0161.07'],
    ['too large', '203.0.113.256'],
    ['too short', '203.0.113'],
    ['a port that is none', '203.0.113.7:port'],
    ['IPv6 with a port without brackets', '2001:db8::7:4711:1:2:3:4:5'],
    ['an open bracket', '[2001:db8::7'],
    ['quoted', '"203.0.113.7"'],
    ['a network', '203.0.113.0/24'],
  ])('is that of the proxy, which names none: %s', (_what, forwarded) => {
    expect(sourceOf('10.1.2.3', forwarded)).toEqual({ address: '10.1.2.3', loopback: false })
    // What stands before is not read.
    expect(sourceOf('10.1.2.3', `203.0.113.9, ${forwarded}, 10.0.0.8`).address).toBe('10.0.0.8')
  })

  test.each([
    ['203.0.113.7', '198.51.100.1'],
    ['203.0.113.7', '127.0.0.1'],
    ['203.0.113.7', '10.0.0.1, 10.0.0.2'],
    ['2001:db8::7', '198.51.100.1'],
    ['::ffff:203.0.113.7', '198.51.100.1'],
    ['11.0.0.1', '198.51.100.1'],
    ['192.0.2.2', '198.51.100.1'],
    ['fe00::1', '198.51.100.1'],
    ['', '198.51.100.1'],
  ])('of a peer that is not trusted is its own: %s', (peer, forwarded) => {
    expect(sourceOf(peer, forwarded)).toEqual({ address: peer, loopback: false })
  })

  test('is that of the peer when no proxy is trusted, or the connection is gone', () => {
    expect(sourceOf('10.1.2.3', '203.0.113.7', [])).toEqual({ address: '10.1.2.3', loopback: false })
    expect(sourceOf(undefined, '203.0.113.7')).toEqual({ address: '', loopback: false })
  })

  test('of several headers is in the last one, also when they come as a list', () => {
    const request = {
      socket: { remoteAddress: '10.1.2.3' },
      headers: { 'x-forwarded-for': ['198.51.100.1', '203.0.113.7'] },
    }
    expect(createTrustedProxies(networks).sourceOf(request).address).toBe('203.0.113.7')
  })
})

describe('this machine', () => {
  test.each([
    ['127.0.0.1', undefined, true],
    ['127.0.0.2', undefined, true],
    ['::1', undefined, true],
    ['127.0.0.1', '127.0.0.1', true],
    ['::1', '::ffff:127.0.0.5', true],
    ['127.0.0.1', '203.0.113.7', false],
    ['127.0.0.1', '127.0.0.1, 203.0.113.7', false],
    ['127.0.0.1', 'localhost', false],
    ['127.0.0.1', '', false],
    // It is that of the other proxy.
    ['127.0.0.1', '127.0.0.1, 10.0.0.1', false],
    ['10.0.0.1', '127.0.0.1', false],
    // This one is not trusted. It may forward all the same, and nobody would say so of their own request.
    ['127.0.0.9', '203.0.113.7', false],
    ['127.0.0.9', '203.0.113.7, 127.0.0.1', false],
    ['127.0.0.9', 'unknown', false],
    ['127.0.0.9', '127.0.0.1, ::1', true],
  ])('%s for %s: %s', (peer, forwarded, loopback) => {
    expect(sourceOf(peer, forwarded).loopback).toBe(loopback)
  })

  test.each([
    ['x-forwarded-for', '203.0.113.7', false],
    ['x-forwarded-for', '127.0.0.1', true],
    ['x-real-ip', '203.0.113.7', false],
    ['x-real-ip', '127.0.0.1', true],
    ['forwarded', 'for=203.0.113.7;proto=https', false],
    ['forwarded', 'for=127.0.0.1, for="[2001:db8::7]:4711"', false],
    ['forwarded', 'proto=https', false],
    ['forwarded', 'For="[::1]:4711";by=_x', true],
  ])('when no proxy is trusted, with %s: %s: %s', (name, value, loopback) => {
    const request = { socket: { remoteAddress: '127.0.0.1' }, headers: { [name]: value } }
    expect(createTrustedProxies().sourceOf(request)).toEqual({ address: '127.0.0.1', loopback })
  })
})

test.each([
  ['10.0.0.1/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.1.2.3/32', '10.1.2.4', false],
  ['0.0.0.0/1', '127.0.0.1', true],
  ['fd00::/8', 'fdff::1', true],
  ['::ffff:10.0.0.0/104', '10.9.9.9', true],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.1', true],
  ['::/1', '10.0.0.1', false],
])('%s and %s', (network, peer, isTrusted) => {
  expect(sourceOf(peer, '203.0.113.7', [network]).address === '203.0.113.7').toBe(isTrusted)
})

test.each([
  '',
  'proxy',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '::/0',
  '::/129',
  '10.0.0/8',
  '10.0.0.0/255.0.0.0',
  '::ffff:10.0.0.0/8',
  '10.0.0.0/8/8',
  ' 10.0.0.0/8',
  '010.0.0.0/8',
])('%j is no network', (entry) => {
  expect(() => createTrustedProxies([entry])).toThrow(/trustedProxies: expected an address or a network/)
})
