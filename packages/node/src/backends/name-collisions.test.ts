import type { Config } from '@junctor/config'
import { expect, test } from 'vitest'
import { nameCollisions } from './name-collisions.ts'

const offers = new Map([
  ['a', { tools: ['read', 'one'], prompts: ['greet'], resources: ['file:///x'], methods: [] }],
  ['b', { tools: ['read', 'two'], prompts: ['greet'], resources: ['file:///x'], methods: [] }],
])

function configOf(prefixes: readonly string[], tenant: object = {}): Config {
  const backends = ['a', 'b'].map((name, index) => ({ name, prefix: prefixes[index] }))
  const tools = { allow: undefined, deny: [] }
  return {
    backends,
    tenants: [
      {
        name: 'default',
        profile: 'mcp',
        separator: undefined,
        maxLength: 64,
        askers: true,
        bareNames: 'listed',
        backends: ['a', 'b'],
        tools,
        ...tenant,
      },
    ],
  } as unknown as Config
}

test('backends with different prefixes have no collisions', () => {
  expect(nameCollisions(configOf(['a', 'b']), offers)).toEqual([])
})

test('with one prefix for two backends, tools, prompts and resources collide', () => {
  const backends = ['a', 'b']
  expect(nameCollisions(configOf(['x', 'x']), offers)).toEqual([
    { tenant: 'default', kind: 'tool', name: 'x__read', backends },
    { tenant: 'default', kind: 'prompt', name: 'x__greet', backends },
    { tenant: 'default', kind: 'resource', name: expect.stringContaining('file'), backends },
  ])
})

test('unprefixed names of a profile collide, unless one backend has a prefix', () => {
  const saas = { profile: 'saas' }
  expect(nameCollisions(configOf([], saas), offers).map(({ name }) => name)).toEqual(['read', 'greet', 'file:///x'])
  expect(nameCollisions(configOf(['a'], saas), offers)).toEqual([])
  expect(nameCollisions(configOf([]), offers)).toEqual([])
})

test('a prompt and a resource that the tenant may not see collide with nothing', () => {
  const hidden = {
    prompts: { allow: ['a:*'], deny: [] },
    resources: { allow: undefined, deny: ['b:file:*'] },
  }
  expect(nameCollisions(configOf(['', ''], hidden), offers).map(({ name }) => name)).toEqual(['read'])
})

test.each([
  ['a tool that the tenant may not see', { tools: { allow: undefined, deny: ['b:read'] } }],
  ["a backend that is not the tenant's", { backends: ['a'] }],
])('%s collides with nothing', (_name, tenant) => {
  expect(nameCollisions(configOf(['', ''], tenant), offers).filter(({ kind }) => kind === 'tool')).toEqual([])
})

test('a name that one backend lists twice collides with itself', () => {
  const twice = new Map([['a', { tools: ['read', 'read'], prompts: [], resources: [], methods: [] }]])
  expect(nameCollisions(configOf([]), twice)).toEqual([
    { tenant: 'default', kind: 'tool', name: 'a__read', backends: ['a', 'a'] },
  ])
})

test('methods outside MCP collide with any prefixes', () => {
  const offer = { tools: [], prompts: [], resources: [], methods: ['add'] }
  const both = new Map([
    ['a', offer],
    ['b', { ...offer, methods: ['add', 'sum'] }],
  ])
  expect(nameCollisions(configOf(['a', 'b']), both)).toEqual([
    { tenant: 'default', kind: 'method', name: 'add', backends: ['a', 'b'] },
  ])
})
