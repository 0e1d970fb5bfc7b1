import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { counterUri } from '../counter.ts'

/** A resource to read later, and one that is here already. */
export const link: Tool = createTool({
  metadata: {
    name: 'link',
    title: 'Link',
    description: 'Answers with a link to a resource and with a resource that is already in the envelope.',
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: () =>
    ToolResponse.of(
      ToolResponse.resourceLink({
        uri: counterUri,
        name: 'counter',
        description: 'How often somebody has called tick',
        mimeType: 'application/json',
      }),
      ToolResponse.resource('demo://greeting/you', 'Hello, you!', 'text/plain'),
    ),
})
