import { expect, test } from 'vitest'
import { ignoresPermissions } from './ignores-permissions.ts'

test.each([
  ['2.9.10', false],
  ['2.10.29', false],
  ['2.11.0', true],
  ['2.11.14', true],
  ['2.11.15', false],
  ['2.12.0-preview.1', true],
  ['v2.12.5', true],
  ['2.12.6', false],
  ['2.14.0', false],
  ['3.11.0', false],
  ['', false],
])('nats-server %s ignores permissions: %s', (version, ignores) => {
  expect(ignoresPermissions(version)).toBe(ignores)
})
