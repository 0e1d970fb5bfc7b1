import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { z } from 'zod'

const config: z.ZodType<{ readonly mark: string }> = z.strictObject({ mark: z.string() })

/** A plugin that is not built in. */
export const shoutPlugin: Plugin<typeof config> = definePlugin({
  name: 'shout',
  key: 'plugin',
  config,
  create: ({ mark }, { name }) =>
    createBackend({
      name,
      tools: [
        createTool({
          metadata: { name: 'shout', description: 'Shouts', inputSchema: z.strictObject({ text: z.string() }) },
          handler: ({ text }) => `${text.toUpperCase()}${mark} ${process.pid}`,
        }),
      ],
    }),
})
