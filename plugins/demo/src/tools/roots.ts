import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Lists the folders that the client allows servers to use. */
export const roots: Tool = createTool({
  metadata: {
    name: 'roots',
    title: 'Roots',
    description: 'Lists the folders that your client allows servers to use. It does not read them.',
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  async handler(_input, context) {
    const found = await context.roots()
    if (found.length === 0) return ToolResponse.text('Your client allows no folder.')
    return ToolResponse.text(found.map(({ uri, name }) => (name === undefined ? uri : `${name}: ${uri}`)).join('\n'))
  },
})
