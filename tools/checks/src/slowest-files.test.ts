import { expect, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { printSlowestFiles, slowestFiles } from './slowest-files.ts'

/** The used part of a vitest module. */
function moduleOf(name: string, collectDuration: number, duration: number): TestModule {
  const diagnostic = (): object => ({ collectDuration, duration })
  return {
    project: { name: 'packages/x' },
    relativeModuleId: `src/${name}.test.ts`,
    diagnostic,
  } as unknown as TestModule
}

test('names the ten slowest files, including their imports, slowest first', () => {
  const modules = Array.from({ length: 12 }, (_, n) => moduleOf(`f${n}`, 1_000, n * 100))
  const times = slowestFiles([...modules, moduleOf('import', 5_000, 0)])
  expect(times).toHaveLength(10)
  expect(times.slice(0, 2)).toEqual([
    { file: 'packages/x/src/import.test.ts', ms: 5_000 },
    { file: 'packages/x/src/f11.test.ts', ms: 2_100 },
  ])
  expect(printSlowestFiles(times).split('\n').slice(0, 2)).toEqual([
    'The slowest files:',
    '    5.0 s  packages/x/src/import.test.ts',
  ])
})

test('names none when there are few files', () => {
  expect(printSlowestFiles(slowestFiles([moduleOf('one', 1, 1)]))).toBe('')
})
