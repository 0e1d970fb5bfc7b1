import { expect, test } from 'vitest'
import { mountName, nameInPath, readMountName, tenantOfName } from './mount-name.ts'

test('a mount is read as it was named', () => {
  expect(mountName('acme', 'files')).toBe('acme/-/files')
  expect(readMountName('acme/-/files')).toEqual({ tenant: 'acme', backend: 'files' })
  expect(tenantOfName('acme/-/files')).toBe('acme')
})

test.each(['acme', '-', 'a-b', 'acme/files', ''])('%o is the name of a tenant', (name) => {
  expect(readMountName(name)).toBeUndefined()
  expect(tenantOfName(name)).toBe(name)
})

test('the endpoint of a backend is at one path', () => {
  expect(nameInPath('acme', 'files')).toBe('acme/-/files')
  expect(nameInPath('', 'files')).toBe('/-/files')
  expect(nameInPath('acme', undefined)).toBe('acme')
  for (const tenant of ['acme/-/files', '/-/files'])
    expect(readMountName(nameInPath(tenant, undefined))).toBeUndefined()
})
