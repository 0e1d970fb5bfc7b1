import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longest, longestFirst } from './longest-first.ts'

const root = join(import.meta.dirname, '../../..')

test('the longest files come first, all others stay in their order', () => {
  const files = ['packages/b/b.test.ts', ...longest.toReversed(), 'packages/a/a.test.ts']
  const paths = files.map((file) => join(root, file))
  const sorted = [...longest, 'packages/b/b.test.ts', 'packages/a/a.test.ts'].map((file) => join(root, file))
  expect(longestFirst(paths, (path) => path)).toEqual(sorted)
})

test('each of them is there', () => {
  expect(longest.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
