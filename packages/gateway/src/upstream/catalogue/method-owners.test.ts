import { expect, test } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { MethodOwners } from './method-owners.ts'

test('a method that a backend declares late has an owner then, and one that it declares no more has none', () => {
  const { entry } = createTestBackend({ prefix: 'late' }, { name: 'late' })
  let declared: readonly string[] = []
  const late = Object.defineProperty({ ...entry.backend }, 'methods', { get: () => declared })
  const tenant = tenantOf([{ ...entry, backend: late }], 'acme')
  const owners = new MethodOwners(silentLog)
  expect(owners.of(tenant, 'sum')).toBeUndefined()
  declared = ['sum']
  expect(owners.of(tenant, 'sum')?.backend).toBe(late)
  declared = ['other']
  expect(owners.of(tenant, 'sum')).toBeUndefined()
})
