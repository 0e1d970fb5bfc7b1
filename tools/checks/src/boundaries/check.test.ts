import { expect, test } from 'vitest'
import { repository } from '../workspace.ts'
import { writeWorkspace } from '../workspace-fixture.ts'
import { checkBoundaries } from './check.ts'

const manifest = (name: string, layer: string, dependencies: string[]): object => ({
  name,
  nx: { tags: [`layer:${layer}`] },
  exports: { '.': './src/index.ts' },
  dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, 'workspace:*'])),
})

test('names the file of each problem, and ignores installed and built files', () => {
  const root = writeWorkspace({
    'packages/low/package.json': manifest('low', 'jsonrpc', []),
    'packages/low/src/index.ts': "import 'node:fs'",
    'packages/low/node_modules/x/index.js': "import 'nowhere'",
    'packages/low/dist/index.js': "import 'nowhere'",
  })
  const { files, problems } = checkBoundaries(root)
  expect(files).toBe(1)
  expect(problems).toEqual([
    {
      where: 'packages/low/src/index.ts',
      what: 'imports node:fs, but the layer jsonrpc is pure: it must run anywhere',
    },
  ])
})

test('reports a circle of packages, even where every single import is allowed', () => {
  const root = writeWorkspace({
    'tools/one/package.json': manifest('one', 'tool', ['two']),
    'tools/one/src/index.ts': "export { two } from 'two'",
    'tools/two/package.json': manifest('two', 'tool', ['one']),
    'tools/two/src/index.ts': "export { one } from 'one'",
  })
  expect(checkBoundaries(root).problems).toEqual([
    { where: 'one', what: 'packages import each other in a circle: one -> two -> one' },
  ])
})

test('imports of types, and imports in tests, make no cycle', () => {
  const root = writeWorkspace({
    'tools/one/package.json': manifest('one', 'tool', ['two']),
    'tools/one/src/index.ts': "export { two } from 'two'",
    'tools/two/package.json': manifest('two', 'tool', ['one']),
    'tools/two/src/index.ts': "import type { One } from 'one'",
    'tools/two/src/index.test.ts': "import { one } from 'one'",
  })
  expect(checkBoundaries(root).problems).toEqual([])
})

test('every package of this repository has a known layer', () => {
  expect(checkBoundaries(repository).problems.filter(({ where }) => where.endsWith('package.json'))).toEqual([])
})
