import type { Scope } from '@junctor/contracts'
import { expect, it } from 'vitest'
import { createTestBackend } from '../../test/support/test-backend.ts'
import { type ExclusiveLink, ExclusiveLinks } from './exclusive-links.ts'

const scopeOf = (principal: string): Scope => ({
  tenant: 'default',
  principal,
  session: undefined,
  capabilities: {},
  key: `sessionless ${principal}`,
})

function setUp() {
  const closed: ExclusiveLink[] = []
  const { entry } = createTestBackend()
  return { entry, closed, exclusiveLinks: new ExclusiveLinks((link) => closed.push(link)) }
}

it('gives a link to one request at a time, and then to the next of the same scope', () => {
  const { exclusiveLinks, entry } = setUp()
  const one = exclusiveLinks.lease(entry, scopeOf('ada'))
  const other = exclusiveLinks.lease(entry, scopeOf('ada'))
  expect(other.scope.key).not.toBe(one.scope.key)
  exclusiveLinks.giveBack(one, 0)
  expect(exclusiveLinks.lease(entry, scopeOf('eve')).scope.key).not.toBe(one.scope.key)
  expect(exclusiveLinks.lease(createTestBackend().entry, scopeOf('ada')).scope.key).not.toBe(one.scope.key)
  expect(exclusiveLinks.lease(entry, scopeOf('ada'))).toBe(one)
  expect(one.scope).toMatchObject({ tenant: 'default', principal: 'ada', session: one.scope.key })
})

it('gives the link that was opened first, in whatever order requests end: its server has seen most', () => {
  const { exclusiveLinks, entry } = setUp()
  const [first, second, third] = [1, 2, 3].map(() => exclusiveLinks.lease(entry, scopeOf('ada')))
  for (const link of [second, first, third]) if (link !== undefined) exclusiveLinks.giveBack(link, 0)
  expect([1, 2, 3].map(() => exclusiveLinks.lease(entry, scopeOf('ada')))).toEqual([first, second, third])
})

it('closes a link that may still be busy, and those that nobody used for long', () => {
  const { exclusiveLinks, entry, closed } = setUp()
  const [busy, old, fresh] = [1, 2, 3].map(() => exclusiveLinks.lease(entry, scopeOf('ada'))) as [
    ExclusiveLink,
    ExclusiveLink,
    ExclusiveLink,
  ]
  expect([exclusiveLinks.first(entry, scopeOf('ada')), exclusiveLinks.first(entry, scopeOf('eve'))]).toEqual([
    busy,
    undefined,
  ])
  exclusiveLinks.drop(busy)
  expect([exclusiveLinks.first(entry, scopeOf('ada')), ...exclusiveLinks.entries()]).toEqual([old, entry])
  exclusiveLinks.giveBack(old, 1_000)
  exclusiveLinks.giveBack(fresh, 2_000)
  expect(closed).toEqual([busy])
  exclusiveLinks.sweep(1_500)
  expect(closed).toEqual([busy, old])
  expect(exclusiveLinks.lease(entry, scopeOf('ada'))).toBe(fresh)
})
