import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { FileSequencer } from './tools/checks/src/file-sequencer.ts'

/** One project per workspace folder, named for the folder (`packages/jsonrpc`); each inherits this file's options. */
const folders: string[] = globSync('{packages,plugins,apps,tools}/*/package.json', { cwd: import.meta.dirname })
  .map((file) => dirname(file))
  .toSorted()

const childrenCompiledOnce = join(import.meta.dirname, 'packages/testkit/src/children-compiled-once.ts')

/** The options of all tests. */
export const options: NonNullable<ViteUserConfig['test']> = {
  // More than processors: many tests wait, for a deadline, a process or a connection that has to come back.
  maxWorkers: availableParallelism() * 3,
  // A process that keeps the code of all files has a large heap. With the defaults, a fifth of its time is garbage
  // collection, whose threads have no processor of their own here. MiB.
  execArgv: ['--max-semi-space-size=64', '--single-threaded-gc', `--import=${childrenCompiledOnce}`],
  sequence: { sequencer: FileSequencer },
  // The files of a project share the process of a worker: loading the code again for each file takes half of the
  // processor's time.
  isolate: false,
  // Node loads the sources itself, as it does for the gateway: what it compiled serves the next run, and a call from module
  // to module is a plain one. vitest's own loader takes a quarter of the processor's time.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  // Some tests start processes or wait for a deadline to pass; on a busy machine with two cores that takes seconds.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // As long as `eventually` waits, for the same reason.
  expect: { poll: { timeout: 10_000, interval: 20 } },
  reporters: ['default', './tools/checks/src/count-reporter.ts', './tools/checks/src/slow-files-reporter.ts'],
  coverage: {
    provider: 'v8',
    // Relative to the folder of each project that is run.
    include: ['src/**/*.ts'],
    exclude: ['**/*.test.ts'],
    reporter: ['text-summary', 'json-summary'],
    thresholds: { lines: 90, branches: 80 },
  },
}

const config: ViteUserConfig = defineConfig({
  test: {
    ...options,
    projects: folders.map((folder) => ({
      extends: true as const,
      root: folder,
      test: { name: folder },
    })),
  },
})

export default config
