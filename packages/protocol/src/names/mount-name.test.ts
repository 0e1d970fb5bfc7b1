import { expect, test } from 'vitest'
import { mountName, readMountName, tenantOfName } from './mount-name.ts'

test('a mount is read as it was named', () => {
  expect(mountName('acme', 'files')).toBe('acme/-/files')
  expect(readMountName('acme/-/files')).toEqual({ tenant: 'acme', backend: 'files' })
  expect(tenantOfName('acme/-/files')).toBe('acme')
})

test.each(['acme', '-', 'a-b', 'acme/files', ''])('%o is the name of a tenant', (name) => {
  expect(readMountName(name)).toBeUndefined()
  expect(tenantOfName(name)).toBe(name)
})
