import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { options } from './vitest.config.ts'

/**
 * A run of all tests, as one project: vitest starts new workers for each project, and a quarter of the processor's time of
 * most folders is the start of theirs.
 */
const config: ViteUserConfig = defineConfig({
  test: { ...options, include: ['{packages,plugins,apps,tools}/*/{src,test}/**/*.test.ts'] },
})

export default config
