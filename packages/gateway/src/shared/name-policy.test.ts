import { describe, expect, it } from 'vitest'
import { matchesPattern } from './matches-pattern.ts'
import { hidesNames, permitsName, permitsUri } from './name-policy.ts'

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

describe('permitsName', () => {
  it('lets every tool through without rules', () => {
    expect(permitsName({ allow: undefined, deny: [] }, 'chora', 'delete_all')).toBe(true)
  })

  it('lets only allowed tools through when there is a list', () => {
    const policy = { allow: ['chora:list*'], deny: [] }
    expect(permitsName(policy, 'chora', 'list_all')).toBe(true)
    expect(permitsName(policy, 'chora', 'delete_all')).toBe(false)
    expect(permitsName({ allow: [], deny: [] }, 'chora', 'list_all')).toBe(false)
  })

  it('denies tools that both lists name', () => {
    expect(permitsName({ allow: ['*'], deny: ['chora:delete_*'] }, 'chora', 'delete_all')).toBe(false)
  })
})

describe('permitsUri', () => {
  const docs = { allow: ['files:file:///docs/*'], deny: ['files:*.env', 'files:file:///docs/private/*'] }

  it.each([
    ['file:///docs/a', true],
    ['file:///docs/%61', true],
    ['file:///docs/{path}', true],
    ['file:///other', false],
    ['file:///docs/../other', false],
    ['file:///docs/%2e%2e/other', false],
    ['file:///docs/%2E%2E%2Fother', true],
    ['file:///docs/a.env', false],
    ['file:///docs/a%2eenv', false],
    ['file:///docs/x/../private/a', false],
    ['file:///docs/%70rivate/a', false],
    ['file:///docs/%', true],
  ])('%s: %s', (uri, expected) => {
    expect(permitsUri(docs, 'files', uri)).toBe(expected)
    expect(permitsUri(docs, 'other', uri)).toBe(false)
  })

  it('lets everything through without rules', () => {
    expect(permitsUri(undefined, 'files', 'any')).toBe(true)
    expect(permitsUri({ allow: undefined, deny: [] }, 'files', 'any')).toBe(true)
    expect([hidesNames(undefined), hidesNames(docs), hidesNames({ allow: [], deny: [] })]).toEqual([false, true, true])
  })
})
