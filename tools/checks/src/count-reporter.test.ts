import { expect, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { countTests } from './count-reporter.ts'

/** The counted part of a vitest module. */
function moduleOf(state: 'passed' | 'failed', ...tests: ('passed' | 'failed' | 'skipped')[]): TestModule {
  const allTests = (wanted?: string): Iterable<unknown> =>
    tests
      .filter((own) => wanted === undefined || own === wanted)
      .map((own) => ({ result: () => ({ state: own }) }))
      .values()
  return { moduleId: `${state}.test.ts`, state: () => state, children: { allTests } } as unknown as TestModule
}

test('counts the tests of all files', () => {
  const modules = [moduleOf('passed', 'passed', 'skipped'), moduleOf('failed', 'passed', 'failed')]
  expect(countTests(modules, [])).toEqual({ passed: 2, failed: 1, skipped: 1, failedFiles: ['failed.test.ts'] })
})

test('a file that does not load is one failure', () => {
  expect(countTests([moduleOf('failed')], [])).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
    failedFiles: ['failed.test.ts'],
  })
})

test('an error outside of any test is one failure, and no file can be repeated for it', () => {
  expect(countTests([moduleOf('passed', 'passed')], [new Error('late')])).toEqual({ passed: 1, failed: 1, skipped: 0 })
})
