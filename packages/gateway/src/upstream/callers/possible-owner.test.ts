import { describe, expect, it } from 'vitest'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { possibleOwner } from './possible-owner.ts'

const backend = (name: string, prefix: string) => createTestBackend({ prefix }, { name }).entry
const bare = backend('bare', '')
const one = backend('one', 'one')
const two = backend('two', 'two')
const tenant = tenantOf([one, bare, two])

describe('possibleOwner', () => {
  it.each([
    ['the backend whose prefix it has', 'two__echo', [bare, two], two],
    ['a backend without a prefix', 'echo', [two, bare], bare],
    ['a backend without a prefix, also when the name has a separator', 'three__echo', [two, bare], bare],
    ['no backend when another one with its prefix is known', 'one__echo', [two, bare], undefined],
    ['no backend when all without a prefix are known', 'echo', [one, two], undefined],
    ['no backend when all are known', 'echo', [], undefined],
  ])('is %s', (_, name, missing, expected) => {
    expect(possibleOwner(tenant, missing, name)).toBe(expected)
  })

  it('is the only backend of its own endpoint, where names have no prefix', () => {
    expect(possibleOwner({ ...tenantOf([one]), single: true }, [one], 'echo')).toBe(one)
  })
})
