import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** One project per workspace folder, named for the folder (`packages/jsonrpc`); each inherits this file's options. */
const folders: string[] = globSync('{packages,plugins,apps,tools}/*/package.json', { cwd: import.meta.dirname })
  .map((file) => dirname(file))
  .toSorted()

/**
 * Their files share one process for each worker: they open no sockets and start no processes, and loading the code again
 * for each file takes longer than the tests.
 */
const inOneProcess = new Set(
  ['config', 'connection', 'contracts', 'exchange', 'gateway', 'jsonrpc', 'plugin-sdk', 'primitives', 'protocol'].map(
    (name) => `packages/${name}`,
  ),
)

const config: ViteUserConfig = defineConfig({
  test: {
    // Vitest leaves one processor free, which on a machine with two means that half of it waits.
    maxWorkers: '100%',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Some tests start processes or wait for a deadline to pass; on a busy machine with two cores that takes seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As long as `eventually` waits, for the same reason.
    expect: { poll: { timeout: 10_000, interval: 20 } },
    reporters: ['default', './tools/checks/src/count-reporter.ts', './tools/checks/src/slow-files-reporter.ts'],
    projects: folders.map((folder) => ({
      extends: true as const,
      root: folder,
      test: { name: folder, isolate: !inOneProcess.has(folder) },
    })),
    coverage: {
      provider: 'v8',
      include: ['{packages,plugins}/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 90, branches: 80 },
    },
  },
})

export default config
