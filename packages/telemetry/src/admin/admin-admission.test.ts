import { expect, test } from 'vitest'
import { createAdminAdmission } from './admin-admission.ts'

const admit = createAdminAdmission('0.0.0.0')

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

test('listed names are allowed besides those of this machine, and a refusal names the setting', () => {
  const listed = createAdminAdmission('0.0.0.0', ['status.example.com', 'other.example.com:8443'])
  for (const host of ['status.example.com:3001', 'other.example.com:8443', 'localhost:3001', '127.0.0.1']) {
    expect(listed(host, undefined, '127.0.0.1').ok).toBe(true)
  }
  for (const host of ['other.example.com:3001', 'evil.example.com']) {
    const verdict = listed(host, undefined, '127.0.0.1')
    expect(verdict).toMatchObject({ ok: false, message: expect.stringContaining('listen.admin.allowedHosts') })
  }
})

test.each([
  ['gateway.internal', 'gateway.internal:3001', true],
  ['Gateway.internal', 'GATEWAY.internal', true],
  ['gateway.internal', 'localhost:3001', true],
  ['gateway.internal', 'other.internal:3001', false],
  ['gateway.internal', 'gateway.internal.evil.example', false],
  ['127.0.0.2', '127.0.0.2:3001', true],
  ['fd00::1', '[FD00::1]:3001', true],
  ['0.0.0.0', '0.0.0.0:3001', false],
  ['::', '[::]:3001', false],
] as const)('listening on %s, Host %s: %s', (listenHost, host, ok) => {
  expect(createAdminAdmission(listenHost)(host, undefined, '127.0.0.1').ok).toBe(ok)
})
