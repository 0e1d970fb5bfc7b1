import { createBackend, createTool, definePlugin, ToolResponse, type Plugin } from '@junctor/plugin-sdk'
import { assertWellBehaved, openBackend } from '@junctor/plugin-sdk/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'

// The example of README.md.

const config = z.object({ greeting: z.string().default('Hello') })

const greeter: Plugin<typeof config> = definePlugin({
  name: '@acme/greeter',
  key: 'plugin',
  config,
  create: ({ greeting }, context) =>
    createBackend({
      name: context.name,
      log: context.log,
      tools: [
        createTool({
          metadata: {
            name: 'greet',
            description: 'Greets someone',
            inputSchema: z.object({ name: z.string() }),
          },
          handler: ({ name }) => ToolResponse.text(`${greeting}, ${name}!`),
        }),
      ],
    }),
})

it('the example of the README works', async () => {
  await assertWellBehaved(greeter)
  const client = await openBackend(greeter, { config: { greeting: 'Moin' } })
  expect(await client.callTool('greet', { name: 'Ada' })).toEqual({ content: [{ type: 'text', text: 'Moin, Ada!' }] })
  await client.close()
})
