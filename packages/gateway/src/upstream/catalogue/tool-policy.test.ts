import { describe, expect, it } from 'vitest'
import { matchesPattern, permitsTool } from './tool-policy.ts'

describe('matchesPattern', () => {
  it.each([
    ['chora:delete_*', 'chora:delete_all', true],
    ['chora:delete_*', 'chora:delete_', true],
    ['chora:delete_*', 'chora:list', false],
    ['*', 'anything', true],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ab*ba', 'aba', false],
    ['exact', 'exact', true],
    ['exact', 'exactly', false],
    ['a.c', 'abc', false],
  ])('%s on %s is %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected)
  })

  it('is linear in a pattern that makes a regular expression backtrack', () => {
    const pattern = `${'a*'.repeat(50)}b`
    expect(matchesPattern(pattern, 'a'.repeat(50_000))).toBe(false)
  })
})

describe('permitsTool', () => {
  it('lets every tool through without rules', () => {
    expect(permitsTool({ allow: undefined, deny: [] }, 'chora', 'delete_all')).toBe(true)
  })

  it('lets only allowed tools through when there is a list', () => {
    const policy = { allow: ['chora:list*'], deny: [] }
    expect(permitsTool(policy, 'chora', 'list_all')).toBe(true)
    expect(permitsTool(policy, 'chora', 'delete_all')).toBe(false)
    expect(permitsTool({ allow: [], deny: [] }, 'chora', 'list_all')).toBe(false)
  })

  it('denies tools that both lists name', () => {
    expect(permitsTool({ allow: ['*'], deny: ['chora:delete_*'] }, 'chora', 'delete_all')).toBe(false)
  })
})
