import type { PluginName } from './plugin-name.ts'

/** The program that runs the tests. */
export type TestRunner = 'node' | 'vitest'

/** Files by their paths, with slashes, from the folder of the plugin. */
export type Files = Readonly<Record<string, string>>

/** The source of a new plugin, with its tests. */
export function sourceFiles(name: PluginName, runner: TestRunner): Files {
  return {
    'src/config.ts': configSource,
    'src/plugin.ts': pluginSource(name),
    'src/index.ts': `export { ${name.identifier} } from './plugin.ts'\n`,
    'src/plugin.test.ts': testSource(name, runner),
  }
}

const configSource = `import { z } from 'zod'

/** The options of a backend. */
export interface Config {
  /** The word before the name. Default: Hello. */
  readonly greeting: string
}

/** The gateway checks the options with it, and shows its problems at their lines. */
export const config: z.ZodType<Config> = z.strictObject({
  greeting: z.string().min(1).default('Hello'),
})
`

function pluginSource({ full, identifier }: PluginName): string {
  return `import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { z } from 'zod'
import { config } from './config.ts'

/** \`{ plugin: '${full}' }\`: one tool, to be replaced by yours. */
export const ${identifier}: Plugin<typeof config> = definePlugin({
  name: '${full}',
  key: 'plugin',
  config,
  create: ({ greeting }, { name, log }) =>
    createBackend({
      name,
      log,
      tools: [
        createTool({
          metadata: {
            name: 'greet',
            description: 'Greets someone by name',
            inputSchema: z.strictObject({ name: z.string().min(1) }),
            annotations: { readOnlyHint: true },
          },
          handler: ({ name: who }) => \`\${greeting}, \${who}!\`,
        }),
      ],
    }),
})
`
}

/** The parts of a test that differ between the programs that run it. */
interface TestWords {
  readonly first: string
  readonly last: string
  readonly keepsRules: (plugin: string) => string
  readonly greets: string
  readonly fails: string
}

const testWords: Readonly<Record<TestRunner, TestWords>> = {
  node: {
    first: "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n",
    last: '',
    keepsRules: (plugin) => `await assertWellBehaved(${plugin})`,
    greets: "assert.deepEqual(content, [{ type: 'text', text: 'Moin, Ada!' }])",
    fails: 'assert.equal(isError, true)',
  },
  vitest: {
    first: '',
    last: "import { expect, test } from 'vitest'\n",
    keepsRules: (plugin) => `await expect(assertWellBehaved(${plugin})).resolves.toBeUndefined()`,
    greets: "expect(content).toEqual([{ type: 'text', text: 'Moin, Ada!' }])",
    fails: 'expect(isError).toBe(true)',
  },
}

function testSource({ identifier }: PluginName, runner: TestRunner): string {
  const { first, last, keepsRules, greets, fails } = testWords[runner]
  return `${first}import { assertWellBehaved, openBackend } from '@junctor/plugin-sdk/testing'
${last}import { ${identifier} } from './index.ts'

test('keeps the rules for backends', async () => {
  ${keepsRules(identifier)}
})

test('greets someone by name', async () => {
  const client = await openBackend(${identifier}, { config: { greeting: 'Moin' } })
  const { content } = await client.callTool('greet', { name: 'Ada' })
  ${greets}
  await client.close()
})

test('refuses to greet nobody', async () => {
  const client = await openBackend(${identifier})
  const { isError } = await client.callTool('greet', { name: '' })
  ${fails}
  await client.close()
})
`
}
