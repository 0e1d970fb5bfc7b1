import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { join } from 'node:path'
import { options } from './vitest.config.ts'

const builtPluginHost = join(import.meta.dirname, 'packages/testkit/src/built-plugin-host-file.ts')

/**
 * A run of all tests, as one project: vitest starts new workers for each project, and a quarter of the processor's time of
 * most folders is the start of theirs.
 */
const config: ViteUserConfig = defineConfig({
  test: {
    ...options,
    // The test command builds the program: see `tools/checks/src/test.ts`.
    ...(process.env['TEST_JUNCTOR_PROGRAM'] !== undefined && {
      execArgv: [...(options.execArgv ?? []), `--import=${builtPluginHost}`],
    }),
    include: ['{packages,plugins,apps,tools}/*/{src,test}/**/*.test.ts'],
  },
})

export default config
