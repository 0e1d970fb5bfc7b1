import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { join } from 'node:path'
import { options } from './vitest.config.ts'

// The test command builds it: see `tools/checks/src/test.ts`.
const program = process.env['TEST_JUNCTOR_PROGRAM']

/** The host of a plugin is built with the program, and starts in a fifth of the time that its sources need. */
const alias =
  program === undefined
    ? []
    : [
        {
          find: /^.*\/plugin-host-file\.ts$/,
          replacement: join(import.meta.dirname, 'packages/testkit/src/built-plugin-host-file.ts'),
        },
      ]

/**
 * A run of all tests, as one project: vitest starts new workers for each project, and a quarter of the processor's time of
 * most folders is the start of theirs.
 */
const config: ViteUserConfig = defineConfig({
  resolve: { alias },
  test: { ...options, include: ['{packages,plugins,apps,tools}/*/{src,test}/**/*.test.ts'] },
})

export default config
