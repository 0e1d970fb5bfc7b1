import { expect, test } from 'vitest'
import { createAdminAdmission } from './admin-admission.ts'

const admit = createAdminAdmission()

test.each([
  ['localhost:3001', undefined, '127.0.0.1', true],
  ['[::1]:3001', undefined, '::1', true],
  ['10.1.2.3:3001', undefined, '10.1.2.3', true],
  ['10.1.2.3', undefined, '::ffff:10.1.2.3', true],
  ['[fd00::1]:3001', undefined, 'fd00::1', true],
  ['[fe80::1]:3001', undefined, 'fe80::1%eth0', true],
  ['10.1.2.4:3001', undefined, '10.1.2.3', false],
  ['pod.evil.example:3001', undefined, '10.1.2.3', false],
  ['10.1.2.3.evil.example', undefined, '10.1.2.3', false],
  ['127.0.0.2', undefined, '127.0.0.2', false],
  ['10.1.2.3:3001', 'https://evil.example', '10.1.2.3', false],
  [undefined, undefined, '10.1.2.3', false],
  ['10.1.2.3', undefined, undefined, false],
] as const)('Host %s, Origin %s at %s: %s', (host, origin, localAddress, ok) => {
  expect(admit(host, origin, localAddress).ok).toBe(ok)
})
