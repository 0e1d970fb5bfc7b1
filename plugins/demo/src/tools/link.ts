import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { counterUri } from '../counter.ts'

/** Answers with a link to a resource, and with an embedded resource. */
export const link: Tool = createTool({
  metadata: {
    name: 'link',
    title: 'Link',
    description: 'Answers with a link to a resource and with an embedded resource.',
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: () =>
    ToolResponse.of(
      ToolResponse.resourceLink({
        uri: counterUri,
        name: 'counter',
        description: 'How often the tool tick was called',
        mimeType: 'application/json',
      }),
      ToolResponse.resource('demo://greeting/you', 'Hello, you!', 'text/plain'),
    ),
})
