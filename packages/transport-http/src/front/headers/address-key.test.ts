import { expect, test } from 'vitest'
import { addressKey } from './address-key.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:0db8:0000:0001::9', '2001:db8:0:1::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['2001:db8::1:0:0:9', '2001:db8:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['no address', 'no address'],
])('%s has the share of %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

test('mapped addresses of different hosts are different, and so are neighbouring networks', () => {
  expect(addressKey('::ffff:192.0.2.7')).not.toBe(addressKey('::ffff:192.0.2.8'))
  expect(addressKey('2001:db8:0:1::1')).not.toBe(addressKey('2001:db8:0:2::1'))
})
