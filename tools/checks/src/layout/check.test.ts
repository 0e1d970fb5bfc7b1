import { expect, test } from 'vitest'
import { writeWorkspace } from '../workspace-fixture.ts'
import { checkLayout } from './check.ts'

test('checks manifests, names, indexes, mains and docstrings of every package, and the paths in docs, and names the file', () => {
  const root = writeWorkspace({
    'packages/one/package.json': { name: 'one', private: true },
    'packages/one/README.md': '# one: see `src/a.ts`',
    'packages/one/src/deep/index.ts': "export * from './a.ts'",
    'apps/two/package.json': { name: 'two', private: true, description: 'two' },
    'apps/two/README.md': '# two',
    'apps/two/src/main.ts': '\n'.repeat(80) + 'start()\n',
    'apps/two/src/clockHelper.ts': '',
    'apps/two/src/clock.test.ts': 'export const clock = 1',
    'apps/two/test/clock.ts': 'export const clock = 1',
    'apps/two/test/clock.yaml': 'export const clock = 1',
    'docs/decisions/clocks.md': 'see `two/src/main.ts`, and `two/src/clock.ts`',
  })
  const { packages, problems } = checkLayout(root)
  expect(packages).toBe(2)
  expect(problems.map(({ where }) => where)).toEqual([
    'apps/two/src/clockHelper.ts',
    'apps/two/src/main.ts',
    'apps/two/test/clock.ts',
    'packages/one/package.json',
    'packages/one/README.md',
    'packages/one/src/deep/index.ts',
    'docs/decisions/clocks.md',
  ])
})
