import { expect, test } from 'vitest'
import type { Config } from '@junctor/config'
import { idlePatterns } from './idle-patterns.ts'

const offers = new Map([['a', { tools: ['read', 'delete_all'], methods: ['sum'] }]])

function idle(deny: readonly string[], allow?: readonly string[]) {
  const tenants = [{ name: 't', backends: ['a', 'lost'], tools: { allow, deny } }] as unknown as Config['tenants']
  return idlePatterns({ tenants }, offers).map(({ list, pattern }) => `${list} ${pattern}`)
}

test.each(['a:read', 'a:delete_*', '*:*', 'a:sum', 'lost:x', '*:x', 'l*:x'])('%s matches, or may match', (pattern) => {
  expect(idle([pattern])).toEqual([])
})

test.each(['a:del', 'a:Read', 'a:x*', 'b*:read'])('%s matches nothing', (pattern) => {
  expect(idle([pattern], ['a:read', pattern])).toEqual([`allow ${pattern}`, `deny ${pattern}`])
})
