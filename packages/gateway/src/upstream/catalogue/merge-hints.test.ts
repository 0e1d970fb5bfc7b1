import { expect, it } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { mergeHints } from './merge-hints.ts'
import type { KeptUntil } from './snapshot.ts'

const everything = { allow: undefined, deny: [] }

function part(
  tools: KeptUntil | undefined,
  capabilities: JsonObject = { tools: {} },
  entry: { readonly builtIn?: true; readonly isPersonal?: true } = {},
) {
  const { isPersonal = false, ...own } = entry
  const server = { revision: '2026-07-28', capabilities, info: {}, instructions: undefined } as const
  return {
    entry: { backend: { isPersonal }, ...own },
    snapshot: { server, hints: tools === undefined ? {} : { tools } },
  } as Parameters<typeof mergeHints>[1][number]
}

const short = { expires: 5, isPublic: true }
const long = { expires: 9, isPublic: true }
const own = { expires: 7, isPublic: false }

it.each([
  ['the shortest', [part(short), part(long)], short],
  ['private, if one is', [part(long), part(own)], own],
  ['none, if one says nothing', [part(short), part(undefined)], undefined],
  ['none without backends', [], undefined],
  ['that of those that have such a list', [part(long), part(undefined, { prompts: {} })], long],
  ["without the gateway's own tools", [part(long), part(undefined, { tools: {} }, { builtIn: true })], long],
  [
    'private, if one answers with accounts of persons',
    [part(long), part(long, undefined, { isPersonal: true })],
    { ...long, isPublic: false },
  ],
] as const)('the hint of a merged list is %s', (_, parts, expected) => {
  expect(mergeHints({ tools: everything }, parts).tools).toEqual(expected)
})

it('a list that a policy has filtered is private', () => {
  for (const policy of [
    { allow: ['a:*'], deny: [] },
    { allow: undefined, deny: ['a:b'] },
  ]) {
    const declared = { tools: {}, prompts: {}, resources: {} }
    const parts = [part(long, declared)]
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      const merged = mergeHints({ tools: everything, [kind]: policy }, parts)
      expect(merged.tools).toEqual({ ...long, isPublic: kind !== 'tools' })
    }
  }
})
